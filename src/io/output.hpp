// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace weir::io {

/// Where a sink writes to. What is wrong is thrown with the name of the place. One thread at a
/// time.
///
/// Where `has_room` and `flush` are false, the bell that the output was made with rings when it is
/// worth asking again. Dropped before `commit`, it leaves nothing behind that can be taken back.
class output {
 public:
  output() = default;
  output(const output&) = delete;
  output& operator=(const output&) = delete;
  virtual ~output() = default;

  virtual void add(std::string_view bytes) {
    const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
    waiting_.insert(waiting_.end(), first, first + bytes.size());
  }

  /// Whether more may be added; writes when that is much.
  bool has_room() { return waiting_.size() - written_ < block_bytes || flush(); }

  /// Whether others see what is written before all of it is.
  virtual bool as_items_come() const noexcept { return true; }

  /// Writes what was added. @return whether that is all of it
  virtual bool flush() = 0;

  /// Nothing will be added any more; `flush` completes it.
  virtual void end() {}

  /// After `end` and `flush`.
  virtual void commit() = 0;

 protected:
  static constexpr std::size_t block_bytes = std::size_t{256} * 1024;

  std::vector<std::byte> waiting_;
  std::size_t written_ = 0;  // bytes of waiting_
};

}  // namespace weir::io
