// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"
#include "record_rules.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace extsort {

/// Finds records from any place in a file. For formats that do not mark the beginning of a record,
/// the result is a guess: see `find_record`. For one thread at a time.
class record_finder {
 public:
  /// @param memory for bytes of the file @param size of the file; all outlive the finder
  record_finder(disk_queue& disk, const file& from, const input_rules& rules, std::uint64_t size,
                std::span<std::byte> memory)
      : disk_(&disk), from_(&from), rules_(&rules), size_(size), memory_(memory.first(rounded_down(memory.size()))) {}

  /// Returns the beginning of a record at or not far after that place; the size of the file if none
  /// is found.
  std::uint64_t first_from(std::uint64_t place);

  /// Calls `take(record, place)` for some consecutive records from about that place on, as far as a
  /// window of the file has them.
  void look_around(std::uint64_t place, std::size_t window, std::size_t most,
                   const std::function<void(record_view record, std::uint64_t place)>& take);

  /// Returns the end of the record that begins there; none if the file ends before.
  std::optional<std::uint64_t> behind(std::uint64_t place);

 private:
  std::optional<std::uint64_t> find(std::uint64_t place, std::size_t window);
  void hold(std::uint64_t place, std::uint64_t window);

  disk_queue* disk_;
  const file* from_;
  const input_rules* rules_;
  std::uint64_t size_;
  std::span<std::byte> memory_;
  std::uint64_t held_place_ = 0;  // place of the first byte in memory
  std::uint64_t held_end_ = 0;
};

}  // namespace extsort
