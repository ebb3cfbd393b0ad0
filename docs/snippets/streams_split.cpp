// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 3 readings, 36 in all; 2 lines are wrong: twelve 13x

#include <weir/weir.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace {

struct wrong {
  std::string line;
};

// Two outlets, two streams.
void parse(std::string line, weir::outlet<int>& readings, weir::outlet<wrong>& errors) {
  int value = 0;
  const char* const end = line.data() + line.size();
  if (std::from_chars(line.data(), end, value).ptr == end) {
    readings.send(value);
  } else {
    errors.send({line});
  }
}

}  // namespace

int main() {
  auto lines = weir::source([at = std::size_t{0}]() mutable -> std::optional<std::string> {
    static const std::vector<std::string> all{"11", "12", "twelve", "13", "13x"};
    if (at == all.size()) return std::nullopt;
    return all[at++];
  });
  int sum = 0;
  int count = 0;
  std::vector<std::string> bad;
  auto add = weir::sink([&](int value) { sum += value, ++count; });
  auto report = weir::sink([&](wrong w) { bad.push_back(w.line); });

  // The first outlet leads to the first block, the second to the second.
  weir::run(lines | weir::farm(&parse, 2) | weir::split(add, report));

  std::cout << count << " readings, " << sum << " in all; " << bad.size() << " lines are wrong:";
  std::sort(bad.rbegin(), bad.rend());
  for (const std::string& line : bad) std::cout << ' ' << line;
  std::cout << '\n';
}
