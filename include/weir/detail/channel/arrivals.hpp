// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace weir {

/// A bit for each of many channels to one consumer: whether something has come there since the
/// consumer looked. With it a turn costs as much as there are channels with something in them, and
/// not as much as there are channels.
///
/// **Who may call what.** `mark` the producer of the channel, after the news is visible; `take` the
/// consumer, before it looks at the channels.
///
/// **No news is lost.** Marking and taking are read-modify-writes of one word. If the mark comes
/// first, the consumer takes the bit, and its acquire pairs with the marker's release: it finds the
/// news. If the mark comes second, the bit stays for the next look. Whoever marks then notifies the
/// consumer, so that there is a next look (`basic_readiness`); the full fence before that
/// notification comes after the mark.
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

  /// The bits of the channels from `word * bits` on, which are then clear.
  std::uint64_t take(std::size_t word) noexcept {
    if (words_[word].load(std::memory_order_relaxed) == 0) return 0;
    return words_[word].exchange(0, std::memory_order_acquire);
  }

 private:
  using atomic_word = typename Atomics::template atomic<std::uint64_t>;

  std::size_t count_;
  std::unique_ptr<atomic_word[]> words_;
};

}  // namespace weir
