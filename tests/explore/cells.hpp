// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace explore {

/// The kinds of access to a non-atomic object.
enum class cell_use : std::uint8_t { construct, read, write, take, destroy };

const char* name_of(cell_use use) noexcept;

/// The non-atomic objects of one execution, by address. Holds for each object whether it is alive,
/// and its last accesses.
class cell_table {
 public:
  void reset() noexcept;

  /// Records an access. @return null, or the error in it
  const char* use(memory& in, unsigned thread, const void* object, cell_use how);

  /// Records that a block is freed. @return null, or the error in that
  const char* free(memory& in, unsigned thread, const void* block, std::size_t size);

  std::size_t alive() const noexcept { return alive_; }
  /// A short number for an object, in the order of first use.
  unsigned number_of(const void* object);

 private:
  enum class state : std::uint8_t { raw, alive, taken };
  struct cell {
    const void* address;
    state now;
    access_record uses;
  };
  struct bucket {
    std::uint32_t generation = 0;
    std::uint32_t index = 0;
  };

  static constexpr std::size_t buckets = 4096;
  cell& find(const void* object);

  std::uint32_t generation_ = 1;
  std::size_t alive_ = 0;
  std::vector<cell> cells_;
  std::array<bucket, buckets> table_;
};

}  // namespace explore
