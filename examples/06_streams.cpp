// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 9 is far from its mean 9.825.14.9 is far from its mean 10.925.*line 5: .n/a. is no number

// Several streams: a parser has two outlets, one for readings and one for lines that it can't read.
// A tee copies each reading to two branches, one of which computes the mean of the last readings;
// zip combines the branches again.

#include <weir/weir.hpp>

#include <cmath>
#include <deque>
#include <iostream>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>

namespace {

struct unreadable {
  int line;
  std::string text;
};

struct lines {
  std::istringstream text{};
  void start() { text.str("10.1\n10\n10.2\n9\nn/a\n9.6\n14.9\n10.2\n"); }
  std::optional<std::string> next() {
    std::string line;
    if (!std::getline(text, line)) return std::nullopt;
    return line;
  }
};

struct parser {
  int line = 0;
  void process(std::string text, weir::outlet<double>& readings, weir::outlet<unreadable>& errors) {
    ++line;
    std::istringstream number(text);
    double value = 0;
    if (number >> value) {
      readings.send(value);
    } else {
      errors.send({line, text});
    }
  }
};

struct mean_of_the_last {
  std::size_t count;
  std::deque<double> last{};
  double process(double value) {
    last.push_back(value);
    if (last.size() > count) last.pop_front();
    return std::accumulate(last.begin(), last.end(), 0.0) / static_cast<double>(last.size());
  }
};

void compare(std::tuple<double, double> both) {
  const auto [value, mean] = both;
  if (std::abs(value - mean) > 0.5) std::cout << value << " is far from its mean " << mean << '\n';
}

}  // namespace

int main() {
  auto same = weir::node([](double value) { return value; });
  auto check = weir::tee(same, weir::node(mean_of_the_last{4}).named("mean")) | weir::zip<double, double>() |
               weir::sink(&compare).named("compare");

  std::ostringstream errors;
  auto report = weir::sink([&](unreadable u) { errors << "line " << u.line << ": '" << u.text << "' is no number\n"; });

  weir::run(weir::source(lines{}) | weir::node(parser{}).named("parse") | weir::split(check, report));
  std::cout << errors.str();
  if (std::cout.flush()) return 0;
  std::cerr << "06_streams: can't write standard output\n";
  return 1;
}
