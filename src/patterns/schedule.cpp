// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/schedule.hpp"

#include "weir/detail/channel/atomics.hpp"
#include "weir/graph/error.hpp"
#include "weir/run/fork_join.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace weir::detail {
namespace {

using clock = std::chrono::steady_clock;

// Target time of a chunk under `automatic`: much longer than the cost of getting a chunk, and short
// enough that the wait for the last chunk does not matter.
constexpr std::chrono::nanoseconds chunk_time{20'000};

// Called before each chunk.
void refuse_if_stopped(const std::stop_token& stop) {
  if (stop.stop_requested() || join_fails()) throw stopped{};
}

// The remaining indices of one part of the loop. Its owner takes from the front, thieves take from
// the back.
//
// Begin and end are packed into one word, so an owner or a thief takes indices by one
// compare-and-exchange. A value of the word never recurs, because indices that were taken never
// return to the part. Therefore a successful exchange has replaced the value that was read. Relaxed
// orders suffice: indices carry no data except the loop's state before the fork, which every worker
// sees.
class alignas(cache_line) share {
 public:
  void set(std::uint64_t begin, std::uint64_t end) noexcept {
    word_.store(pack(begin, end), std::memory_order_relaxed);
  }
  std::uint64_t left() const noexcept {
    const std::uint64_t word = word_.load(std::memory_order_relaxed);
    return end_of(word) - begin_of(word);
  }

  /// @return false if there is nothing left
  bool take(std::uint64_t most, std::uint64_t& begin, std::uint64_t& end) noexcept {
    std::uint64_t word = word_.load(std::memory_order_relaxed);
    do {
      begin = begin_of(word);
      if (begin == end_of(word)) return false;
      end = begin + std::min(most, end_of(word) - begin);
    } while (!word_.compare_exchange_weak(word, pack(end, end_of(word)), std::memory_order_relaxed));
    return true;
  }

  /// Takes half of the indices, rounded up.
  bool steal(std::uint64_t& begin, std::uint64_t& end) noexcept {
    std::uint64_t word = word_.load(std::memory_order_relaxed);
    do {
      end = end_of(word);
      if (begin_of(word) == end) return false;
      begin = end - (end - begin_of(word) + 1) / 2;
    } while (!word_.compare_exchange_weak(word, pack(begin_of(word), begin), std::memory_order_relaxed));
    return true;
  }

 private:
  static std::uint64_t pack(std::uint64_t begin, std::uint64_t end) noexcept { return begin << 32 | end; }
  static std::uint64_t begin_of(std::uint64_t word) noexcept { return word >> 32; }
  static std::uint64_t end_of(std::uint64_t word) noexcept { return word & 0xffff'ffff; }

  std::atomic<std::uint64_t> word_{0};
};

std::size_t boundary(std::size_t count, std::size_t parts, std::size_t i) noexcept {
  return count / parts * i + std::min(count % parts, i);
}

// Largest number of indices in one call of `automatic_chunks`, which begins at `first`.
constexpr std::size_t automatic_most = 0xffff'ffff;
void automatic_chunks(std::size_t first, std::size_t count, std::size_t parts, const parallel_options& options,
                      chunk_function run) {
  const std::uint64_t least = std::max<std::size_t>(1, options.grain);
  std::vector<share> shares(parts);
  for (std::size_t i = 0; i != parts; ++i) {
    shares[i].set(boundary(count, parts, i), boundary(count, parts, i + 1));
  }
  const auto steal = [&](std::size_t part) {
    for (;;) {
      const auto richest = std::max_element(shares.begin(), shares.end(),
                                            [](const share& a, const share& b) { return a.left() < b.left(); });
      std::uint64_t begin = 0;
      std::uint64_t end = 0;
      if (richest->left() == 0) return false;
      if (!richest->steal(begin, end)) continue;
      shares[part].set(begin, end);
      return true;
    }
  };
  const auto work = [&](std::size_t part, std::size_t worker) {
    std::uint64_t most = least;
    for (;;) {
      std::uint64_t begin = 0;
      std::uint64_t end = 0;
      if (!shares[part].take(most, begin, end)) {
        if (!steal(part)) return;
        continue;
      }
      refuse_if_stopped(options.stop);
      const clock::time_point started = clock::now();
      run({first + static_cast<std::size_t>(begin), first + static_cast<std::size_t>(end), part, worker});
      const auto took = clock::now() - started;
      if (took < chunk_time / 2) {
        most = std::min<std::uint64_t>(most * (took < chunk_time / 16 ? 8 : 2), std::uint64_t{1} << 31);
      } else if (took > chunk_time * 2) {
        most = std::max(least, most / 2);
      }
    }
  };
  fork_join(parts, work);
}

void fixed_chunks(std::size_t count, std::size_t parts, const parallel_options& options, chunk_function run) {
  fork_join(parts, [&](std::size_t part, std::size_t worker) {
    if (options.grain == 0) {
      refuse_if_stopped(options.stop);
      run({boundary(count, parts, part), boundary(count, parts, part + 1), part, worker});
      return;
    }
    const std::size_t chunks = (count - 1) / options.grain + 1;
    for (std::size_t i = part; i < chunks; i += parts) {
      refuse_if_stopped(options.stop);
      const std::size_t begin = i * options.grain;
      run({begin, begin + std::min(options.grain, count - begin), part, worker});
    }
  });
}

// `size(left)` returns the size of the next chunk.
template <class Size>
void chunks_in_order(std::size_t count, std::size_t parts, const parallel_options& options, chunk_function run,
                     Size&& size) {
  alignas(cache_line) std::atomic<std::size_t> next{0};
  fork_join(parts, [&](std::size_t part, std::size_t worker) {
    for (std::size_t begin = next.load(std::memory_order_relaxed); begin != count;) {
      const std::size_t end = begin + std::min(count - begin, size(count - begin));
      if (!next.compare_exchange_weak(begin, end, std::memory_order_relaxed)) continue;
      refuse_if_stopped(options.stop);
      run({begin, end, part, worker});
      begin = next.load(std::memory_order_relaxed);
    }
  });
}

}  // namespace

std::size_t parts_of(std::size_t count, const parallel_options& options) noexcept {
  const std::size_t all = concurrency();
  const std::size_t workers = options.workers == 0 ? all : std::min(options.workers, all);
  return std::min(workers, options.grain == 0 || count == 0 ? count : (count - 1) / options.grain + 1);
}

void for_chunks(std::size_t count, const parallel_options& options, chunk_function run) {
  refuse_if_stopped(options.stop);
  if (count == 0) return;
  const std::size_t parts = parts_of(count, options);
  const std::size_t grain = std::max<std::size_t>(options.grain, 1);
  switch (options.schedule) {
    case schedule::automatic:
      for (std::size_t first = 0; first != count;) {
        const std::size_t some = std::min(count - first, automatic_most);
        automatic_chunks(first, some, parts, options, run);
        first += some;
      }
      return;
    case schedule::fixed: return fixed_chunks(count, parts, options, run);
    case schedule::dynamic: return chunks_in_order(count, parts, options, run, [=](std::size_t) { return grain; });
    case schedule::guided:
      return chunks_in_order(count, parts, options, run,
                             [=](std::size_t left) { return std::max(grain, left / (2 * parts)); });
  }
}

}  // namespace weir::detail
