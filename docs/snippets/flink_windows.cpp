// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The highest price of each share in each ten seconds, from a file of lines `share price second`.
// docs/from-flink.md runs it, and shows the same job for Flink.

#include <weir/io/lines.hpp>
#include <weir/patterns/aggregates.hpp>
#include <weir/patterns/time_window.hpp>
#include <weir/weir.hpp>

#include <chrono>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

using namespace std::chrono_literals;

struct trade {
  std::string share;
  double price = 0;
  std::chrono::seconds at{};
};

trade parsed(const std::string& line) {
  std::istringstream in(line);
  trade t;
  long at = 0;
  if (!(in >> t.share >> t.price >> at)) throw std::runtime_error("'" + line + "' is no trade");
  t.at = std::chrono::seconds(at);
  return t;
}

int main(int argc, char** argv) {
  weir::item_counter late;
  auto highest = weir::keyed(&trade::share, weir::time_window(&trade::at, 10s, weir::greatest_of(&trade::price),
                                                              {.lateness = 5s, .late_items = late}));
  using result = weir::keyed_window<std::string, double, std::chrono::seconds>;
  auto print = weir::sink([](const result& w) {
    std::cout << w.key << " from " << w.begin.count() << " to " << w.end.count() << ": " << w.value << '\n';
  });

  weir::run(weir::lines(argc > 1 ? argv[1] : "-") | weir::node(&parsed) | weir::farm(highest, 2).by_key(&trade::share) |
            print);
  std::cout << late.count() << " late\n";
}
