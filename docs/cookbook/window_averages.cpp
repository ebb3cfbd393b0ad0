// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The mean response time of each service over the last minute, every twenty seconds. The input has
// a line "SECONDS SERVICE MICROSECONDS" for each request; requests may be up to ten seconds late.

#include <weir/io/chunks.hpp>
#include <weir/patterns/aggregates.hpp>
#include <weir/patterns/time_window.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

using namespace std::chrono_literals;

namespace {

struct event {
  std::chrono::seconds at;
  std::string service;
  long micros;
};

// The number in a part of a line.
long number(std::string_view text, std::string_view line) {
  long made = 0;
  if (text.empty() || std::from_chars(text.begin(), text.end(), made).ptr != text.end()) {
    throw std::runtime_error("'" + std::string(line) + "' is not SECONDS SERVICE MICROSECONDS");
  }
  return made;
}

event parsed(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  const std::string_view service = first < last ? line.substr(first + 1, last - first - 1) : "";
  return {std::chrono::seconds(number(line.substr(0, first), line)), std::string(service),
          number(service.empty() ? "" : line.substr(last + 1), line)};
}

// Sends an event for each line of a chunk.
void parse(weir::buffer chunk, weir::outlet<event>& events) {
  for (std::string_view rest = chunk.text(); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    events.send(parsed(line));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: window_averages FILE\n";
    return 2;
  }
  try {
    const weir::item_counter late;
    const auto means = weir::keyed(
        &event::service,
        weir::time_window(&event::at, 60s, 20s, weir::mean_of(&event::micros), {.lateness = 10s, .late_items = late}));
    weir::network net = weir::line_chunks(argv[1]).named("read") | weir::farm(&parse).ordered().named("parse") |
                        weir::farm(means).by_key(&event::service).named("average") |
                        weir::sink([](const weir::keyed_window<std::string, double, std::chrono::seconds>& w) {
                          std::cout << w.begin.count() << ' ' << w.key << ' ' << w.count << ' ' << w.value << '\n';
                        }).named("print");
    weir::run(net);
    if (!std::cout.flush()) throw std::runtime_error("can't write standard output");
    if (late.count() != 0) std::cerr << "window_averages: " << late.count() << " events came too late\n";
  } catch (const std::exception& error) {
    std::cerr << "window_averages: " << error.what() << '\n';
    return 1;
  }
}
