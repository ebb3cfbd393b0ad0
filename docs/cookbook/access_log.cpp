// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Prints the pages that the access logs of a web server name most often. The logs have the format
// "combined" or "common" of Apache and nginx, and may be compressed.

#include <weir/io/chunks.hpp>
#include <weir/patterns/map_reduce.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using count = std::uint64_t;
using entry = std::pair<std::string, count>;

// The page of a line such as: 10.0.0.1 - - [29/Nov/2026:17:00:00 +0000] "GET /page HTTP/1.1" 200 …
std::optional<std::string_view> page_of(std::string_view line) {
  const std::size_t begin = line.find('"') + 1;
  const std::size_t end = line.find('"', begin);
  if (begin == 0 || end == std::string_view::npos) return std::nullopt;
  const std::string_view request = line.substr(begin, end - begin);
  const std::size_t page = request.find(' ') + 1;
  const std::size_t protocol = request.find(' ', page);
  if (page == 0 || protocol == std::string_view::npos) return std::nullopt;
  return request.substr(page, protocol - page);
}

// Maps a chunk of whole lines to a pair for each request in it.
void pages_of(const weir::buffer& chunk, weir::pair_outlet<std::string, count>& pairs) {
  for (std::string_view rest = chunk.text(); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (const auto page = page_of(line)) pairs.send(std::string(*page), 1);
  }
}

// Keeps the most frequent entries, and sends them at the end. Of equally frequent ones, the first
// in alphabetical order are kept.
struct top {
  struct before {
    bool operator()(const entry& a, const entry& b) const {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    }
  };
  std::size_t size;
  std::set<entry, before> best{};

  void process(entry e, weir::outlet<entry>&) {
    best.insert(std::move(e));
    if (best.size() > size) best.erase(std::prev(best.end()));
  }
  void finish(weir::outlet<entry>& out) {
    for (const entry& each : best) out.send(each);
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::size_t size = 0;
  const std::string_view number = argc > 2 ? argv[1] : "";
  if (std::from_chars(number.begin(), number.end(), size).ptr != number.end() || size == 0) {
    std::cerr << "usage: access_log COUNT FILE...\n";
    return 2;
  }
  try {
    weir::network net =
        weir::line_chunks(std::vector<std::string>(argv + 2, argv + argc)).named("read") |
        weir::map_reduce(&pages_of, [](count& total, count more) { total += more; }) |
        weir::node(top{size}).named("top") |
        weir::sink([](entry e) { std::cout << std::setw(7) << e.second << ' ' << e.first << '\n'; }).named("print");
    weir::run(net);
    if (!std::cout.flush()) throw std::runtime_error("can't write standard output");
  } catch (const std::exception& error) {
    std::cerr << "access_log: " << error.what() << '\n';
    return 1;
  }
}
