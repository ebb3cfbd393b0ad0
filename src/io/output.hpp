// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/descriptor.hpp"
#include "io/doorbell.hpp"
#include "io/encoder.hpp"
#include "io/watch.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::io {

/// A file that is written from the beginning and has its name only once it is complete. Dropped before that, it leaves nothing behind. What is
/// wrong is thrown with the file's name. One thread at a time.
class output {
 public:
  /// Opens it; `-` is standard output. @throws std::system_error
  output(std::string name, const write_options& options, const std::shared_ptr<doorbell>& bell);
  output(const output&) = delete;
  output& operator=(const output&) = delete;
  ~output();

  /// Adds bytes, and writes some when there are many. @throws std::system_error
  void add(std::string_view bytes);

  /// Whether there is room for more. If not, the bell will ring.
  bool has_room() { return waiting_.size() - written_ < block_bytes || flush(); }

  /// Whether others see it while it is written.
  bool as_items_come() const noexcept { return unfinished_.empty(); }

  /// Adds what compression still holds back; nothing may be added after it.
  void end();

  /// Writes what was added. @return false if it does not take all of it now; the bell will ring
  bool flush();

  /// After `end` and `flush`: the file gets its name.
  void commit();

  static constexpr std::size_t block_bytes = std::size_t{256} * 1024;

 private:
  void open_beside();

  std::string name_;
  std::string path_;        // where links lead
  std::string unfinished_;  // the name until it is complete; empty if it has none of its own
  descriptor file_;
  std::optional<watch> watch_;
  std::unique_ptr<encoder> encoder_;
  std::vector<std::byte> waiting_;
  std::size_t written_ = 0;  // bytes of waiting_
};

}  // namespace weir::io
