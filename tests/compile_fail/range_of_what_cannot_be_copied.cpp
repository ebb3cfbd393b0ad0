// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: the elements of this range can't be copied; give the range away with std::move
#include "weir/io/from.hpp"

#include <memory>
#include <utility>
#include <vector>

int main() {
  std::vector<std::unique_ptr<int>> all;
#ifdef CONTROL
  auto stream = weir::from(std::move(all));
#else
  auto stream = weir::from(all);
#endif
}
