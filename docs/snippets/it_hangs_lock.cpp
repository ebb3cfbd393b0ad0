// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A program that hangs: its node `write` waits for a lock that the main thread keeps while it waits
// for the end of the run. docs/how-to/it-hangs.md looks at it.

#include <weir/weir.hpp>

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

namespace {

// Keeps the strings that it gets, up to a number of bytes.
class store {
 public:
  void put(const std::string& text) {
    const std::lock_guard<std::mutex> guard(lock_);
    bytes_ += text.size();
  }
  std::mutex& lock() { return lock_; }

 private:
  std::mutex lock_{};
  std::size_t bytes_ = 0;
};

}  // namespace

int main() {
  store all;
  auto numbers = weir::source([next = 0]() mutable -> std::optional<int> {
    if (next == 100'000) return std::nullopt;
    return next++;
  });
  auto same = weir::node([](int n) { return n; });
  auto write = weir::sink([&](int n) { all.put(std::to_string(n)); });
  weir::network net = numbers.named("numbers") | same.named("same") | write.named("write");

  const std::lock_guard<std::mutex> guard(all.lock());
  weir::run(net);
}
