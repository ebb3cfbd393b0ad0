// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace extsort {

/// Alignment of addresses, sizes, and places in files that direct input and output require.
inline constexpr std::size_t page = 4096;

constexpr std::uint64_t rounded_down(std::uint64_t value) noexcept { return value / page * page; }
constexpr std::uint64_t rounded_up(std::uint64_t value) noexcept { return rounded_down(value + page - 1); }

/// More memory was needed than there is. The text has the amount, and advice.
class too_little_memory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// All memory that a sort uses for records. It is allocated at once, so a sort never takes more;
/// each of the two phases divides it anew. For one thread at a time.
class arena {
 public:
  /// @param size is rounded down to pages @throws std::system_error
  explicit arena(std::size_t size);
  ~arena();
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  std::size_t size() const noexcept { return all_.size(); }
  std::size_t left() const noexcept { return all_.size() - used_; }
  /// Takes a part that begins at a page. @param size is rounded up to pages
  /// @throws too_little_memory if less is left
  std::span<std::byte> take(std::size_t size);
  /// Likewise, several parts of that size.
  std::vector<std::span<std::byte>> take(std::size_t parts, std::size_t size);
  /// Frees all parts.
  void reset() noexcept { used_ = 0; }

 private:
  std::span<std::byte> all_;
  std::size_t used_ = 0;
};

}  // namespace extsort
