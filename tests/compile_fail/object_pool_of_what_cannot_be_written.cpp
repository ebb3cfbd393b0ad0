// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: an object_pool holds objects that can be written
#include <weir/patterns/object_pool.hpp>
#include <weir/weir.hpp>

#include <string>

int main() {
#ifdef CONTROL
  weir::object_pool<std::string> pool;
#else
  weir::object_pool<const std::string> pool;
#endif
}
