// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/channel/ring.hpp>

#include "../waiting.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace weir_bench {

/// weir's ring, one item at a time.
class weir_ring {
 public:
  static constexpr const char* name = "weir";

  explicit weir_ring(std::size_t capacity) : ring_(capacity) {}

  bool try_push(std::int64_t item) { return !ring_.try_push(item); }

  bool try_pop(std::int64_t& item) {
    const std::optional<std::int64_t> found = ring_.try_pop();
    if (found) item = *found;
    return found.has_value();
  }

  template <class Consume>
  void take(std::int64_t count, Consume&& consume) {
    for (std::int64_t item = 0; count != 0; --count) {
      until([&] { return try_pop(item); });
      consume(item);
    }
  }

  void push(std::int64_t item) {
    until([&] { return try_push(item); });
  }
  void flush() {}

 private:
  weir::ring<std::int64_t> ring_;
};

/// weir's ring, many items at a time: filled while there is room, drained while there are items.
class weir_ring_batched {
 public:
  static constexpr const char* name = "weir_batched";

  explicit weir_ring_batched(std::size_t capacity) : ring_(capacity) {}

  template <class Consume>
  void take(std::int64_t count, Consume&& consume) {
    std::int64_t taken = 0;
    while (taken != count) {
      until([&] {
        const std::size_t drained = ring_.drain(consume, static_cast<std::size_t>(count - taken));
        taken += static_cast<std::int64_t>(drained);
        return drained != 0;
      });
    }
  }

  template <class Make>
  void give(std::int64_t count, Make&& make) {
    std::int64_t given = 0;
    while (given != count) {
      until([&] {
        const std::size_t filled = ring_.fill(make, static_cast<std::size_t>(count - given));
        given += static_cast<std::int64_t>(filled);
        return filled != 0;
      });
    }
  }

 private:
  weir::ring<std::int64_t> ring_;
};

}  // namespace weir_bench
