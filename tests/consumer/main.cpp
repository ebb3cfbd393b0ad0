// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

#include <weir/io/collect.hpp>
#include <weir/io/from.hpp>
#include <weir/io/lines.hpp>
#include <weir/version.hpp>
#include <weir/weir.hpp>

#include "errors.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A program outside the tree, built with the installed package.
int main() {
  long sum = 0;
  weir::run(weir::source([next = 0L]() mutable -> std::optional<long> {
              if (next == 10) return std::nullopt;
              return next++;
            }) |
            weir::sink([&](long item) { sum += item; }));
  // Reading compressed files needs the libraries that the package names.
  std::size_t lines = 0;
  weir::run(weir::lines(__FILE__) | weir::sink([&](std::string) { ++lines; }));
  std::vector<int> out;
  weir::run(weir::from({1, 2}) | weir::collect(out));
  const bool right = sum == 45 && lines > 10 && out.size() == 2 && errors_cross_the_library();
  return right && std::string_view(weir::version) == weir::library_version() ? 0 : 1;
}
