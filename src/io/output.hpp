// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace weir::io {

/// The destination of a sink. Errors are thrown with the name of the destination. One thread at a
/// time.
///
/// If `has_room` or `flush` returns false, the waker with which the output was made rings when
/// another call may succeed. An output that is destroyed before `commit` leaves nothing behind that
/// can be undone.
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

  /// Returns whether more bytes may be added; writes if many bytes wait.
  bool has_room() { return waiting_.size() - written_ < block_bytes || flush(); }

  /// Returns whether bytes become visible to readers before the output is complete.
  virtual bool as_items_come() const noexcept { return true; }

  /// Writes the bytes that were added. @return whether all are written
  virtual bool flush() = 0;

  /// Declares that no more bytes will be added; `flush` completes the output.
  virtual void end() {}

  /// Completes the output. Call it after `end` and `flush`.
  virtual void commit() = 0;

 protected:
  static constexpr std::size_t block_bytes = std::size_t{256} * 1024;

  std::vector<std::byte> waiting_;
  std::size_t written_ = 0;  // bytes of waiting_
};

}  // namespace weir::io
