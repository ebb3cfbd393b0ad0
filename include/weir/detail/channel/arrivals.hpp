// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace weir::detail {

/// One bit for each of the many channels of one consumer: whether news has arrived in the channel
/// since the consumer last checked. With these bits the cost of a turn is proportional to the
/// number of channels with items, not to the number of channels.
///
/// **Callers.** The producer of a channel calls `mark`, after the news is visible. The consumer
/// calls `take`, before it checks the channels.
///
/// **No news is lost.** Marking and taking are read-modify-writes of one word. If the mark comes
/// first, the consumer takes the bit, and its acquire pairs with the release of the mark: the
/// consumer finds the news. If the mark comes second, the bit stays for the next check. The
/// producer notifies the consumer after the mark, so there is a next check (`basic_readiness`). The
/// full fence before that notification comes after the mark.
template <class Atomics>
class basic_arrivals {
 public:
  static constexpr std::size_t bits = 64;

  explicit basic_arrivals(std::size_t channels)
      : count_((channels + bits - 1) / bits), words_(std::make_unique<atomic_word[]>(count_)) {}

  std::size_t words() const noexcept { return count_; }

  void mark(std::size_t channel) noexcept {
    words_[channel / bits].fetch_or(std::uint64_t{1} << channel % bits, std::memory_order_release);
  }

  /// Returns the bits of the channels from `word * bits` on, and clears them.
  std::uint64_t take(std::size_t word) noexcept {
    if (words_[word].load(std::memory_order_relaxed) == 0) return 0;
    return words_[word].exchange(0, std::memory_order_acquire);
  }

 private:
  using atomic_word = typename Atomics::template atomic<std::uint64_t>;

  std::size_t count_;
  std::unique_ptr<atomic_word[]> words_;
};

}  // namespace weir::detail
