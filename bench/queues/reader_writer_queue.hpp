// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../waiting.hpp"

#include <readerwriterqueue/readerwriterqueue.h>

#include <cstddef>
#include <cstdint>

namespace weir_bench {

/// moodycamel::ReaderWriterQueue, limited to its first capacity.
class reader_writer_queue {
 public:
  static constexpr const char* name = "readerwriterqueue";

  explicit reader_writer_queue(std::size_t capacity) : queue_(capacity) {}

  bool try_push(std::int64_t item) { return queue_.try_enqueue(item); }
  bool try_pop(std::int64_t& item) { return queue_.try_dequeue(item); }

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
  moodycamel::ReaderWriterQueue<std::int64_t> queue_;
};

}  // namespace weir_bench
