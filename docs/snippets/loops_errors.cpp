// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: /breed/node1: what waits in the loop /breed is more than its 100000 bytes; let fewer items come back, or raise loop_options::byte_limit.*/search/work: sends into the loop /search after it has ended; send from process or quiet, not from finish.*/all.0./search: is a loop inside an ordered block, and what it sends has no order; say ordered.. of blocks inside the loop, or not at all.*/fetch.0.: takes or sends several streams inside an ordered block, whose items would part; say ordered.. of the blocks before and behind it

#include <weir/weir.hpp>

#include <exception>
#include <iostream>
#include <optional>

namespace {

struct plain_master {
  void process(long item, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(item); }
  void returned(long item, weir::outlet<long>&, weir::outlet<long>& answers) { answers.send(item); }
};

struct sends_at_the_end {
  void process(long item, weir::outlet<long>& out) { out.send(item); }
  void finish(weir::outlet<long>& out) { out.send(1); }
};

void tell(const weir::block<long, long>& block) {
  auto numbers = weir::source([next = 0L]() mutable -> std::optional<long> {
    if (next == 10) return std::nullopt;
    return next++;
  });
  try {
    weir::run(numbers | block | weir::sink([](long) {}));
  } catch (const std::exception& error) {
    std::cout << error.what() << '\n';
  }
}

}  // namespace

int main() {
  // Two items come back for each one taken.
  auto breed = weir::node([](long item, weir::outlet<long>& out, weir::outlet<long>& back) {
    if (item < 0) out.send(item);
    back.send(item);
    back.send(item);
  });
  tell(weir::feedback(breed, {.byte_limit = 100'000}).named("breed"));

  tell(weir::feedback(plain_master{}, weir::node(sends_at_the_end{}).named("work")).named("search"));

  auto search = weir::feedback(plain_master{}, weir::node([](long item) { return item; })).named("search");
  tell(weir::farm(search, 2).ordered().named("all"));

  auto fetch = weir::farm([](long item, weir::outlet<long>& out, weir::outlet<long>&) { out.send(item); }, 2);
  tell(weir::feedback(fetch.ordered().named("fetch")));
}
