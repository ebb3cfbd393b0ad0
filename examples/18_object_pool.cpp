// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 100000 orders, 17499800 cents; of 100 orders at least 99 were used again

// Items that are expensive to make, because each owns many strings. The last node releases them,
// and the first node gets them again with all the memory that they own.
#include <weir/patterns/object_pool.hpp>
#include <weir/weir.hpp>

#include <atomic>
#include <cstddef>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

struct order {
  std::vector<std::string> lines;  // article and price, in the first `used` strings
  std::size_t used = 0;
  long total = 0;  // cents

  // The strings stay in place and keep their capacity.
  std::string& next_line() {
    if (used == lines.size()) lines.emplace_back();
    return lines[used++];
  }
};
using order_item = weir::pooled<order>;  // travels by value, and is as large as a pointer

class reader {
 public:
  explicit reader(weir::object_pool<order> pool) : pool_(std::move(pool)) {}

  std::optional<order_item> next() {
    if (read_ == 100'000) return std::nullopt;
    order_item made = pool_.take();
    const long articles = 1 + read_++ % 6;
    for (long i = 0; i != articles; ++i) {
      made->next_line().assign("an article with a rather long name, ").append(std::to_string(50));
    }
    return made;
  }

 private:
  weir::object_pool<order> pool_;
  long read_ = 0;
};

order_item add_up(order_item one) {
  for (std::size_t i = 0; i != one->used; ++i) one->total += std::stol(one->lines[i].substr(one->lines[i].rfind(' ')));
  return one;
}

}  // namespace

int main() {
  std::atomic<long> made{0};
  const auto make = [&made] {
    ++made;
    return order();
  };
  const auto reset = [](order& done) {
    done.used = 0;
    done.total = 0;
  };
  const weir::object_pool<order> pool({.make = make, .reset = reset});

  long orders = 0;
  long cents = 0;
  const auto count = weir::sink([&](const order_item& one) { ++orders, cents += one->total; });
  // If few items are under way, few are made, and they stay in the cache.
  weir::run(weir::source(reader(pool)) | weir::farm(add_up, 4).capacity(64) | count.capacity(64));
  std::cout << orders << " orders, " << cents << " cents; "
            << (made <= 1000 ? "of 100 orders at least 99 were used again\n" : "too many were made\n");
  if (std::cout.flush()) return 0;
  std::cerr << "18_object_pool: can't write standard output\n";
  return 1;
}
