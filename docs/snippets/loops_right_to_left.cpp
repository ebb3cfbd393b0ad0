// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 320 pages

#include <weir/weir.hpp>

#include <iostream>
#include <optional>
#include <unordered_set>

namespace {

using page = long;

// The left set: fetches a page, and sends its links. There are a thousand pages with two links
// each.
void fetch(page p, weir::outlet<page>& links) {
  links.send(7 * p % 1000);
  links.send((p * p + 3) % 1000);
}

// The right set: equal pages go to the same node, so each page is passed on once.
struct once {
  std::unordered_set<page> seen{};
  void process(page p, weir::outlet<page>& found, weir::outlet<page>& to_fetch) {
    if (!seen.insert(p).second) return;
    found.send(p);
    to_fetch.send(p);
  }
};

}  // namespace

int main() {
  long pages = 0;
  auto seed = weir::source([first = true]() mutable -> std::optional<page> {
    if (!first) return std::nullopt;
    first = false;
    return 1;
  });
  // From the right set back to the left one.
  auto crawl = weir::feedback(weir::farm(&fetch, 4) | weir::farm(once{}, 2).by_key([](const page& p) { return p; }));

  weir::run(seed | crawl | weir::sink([&](page) { ++pages; }));
  std::cout << pages << " pages\n";
}
