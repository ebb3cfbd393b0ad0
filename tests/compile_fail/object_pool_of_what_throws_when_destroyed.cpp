// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: the objects of an object_pool don't throw from their destructor
#include <weir/patterns/object_pool.hpp>
#include <weir/weir.hpp>

struct fragile {
#ifdef CONTROL
  ~fragile() {}
#else
  ~fragile() noexcept(false) {}
#endif
};

int main() { weir::object_pool<fragile> pool; }
