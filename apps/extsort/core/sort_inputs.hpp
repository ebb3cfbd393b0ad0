// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chunk_reader.hpp"
#include "record_rules.hpp"
#include "sort_file.hpp"
#include "sort_resources.hpp"
#include "streams.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace extsort {

/// The inputs of a sort, which are sorted as if they were one file.
class sort_inputs {
 public:
  /// @throws std::system_error that names the file
  explicit sort_inputs(const sort_setup& setup);

  const input_rules& rules() const noexcept { return *rules_; }
  /// Returns all inputs, at least one.
  const std::vector<input_file>& all() const noexcept { return all_; }
  /// Returns the input of a sort that has only one.
  const input_file& only() const noexcept { return all_.front(); }
  bool are_in_memory() const noexcept;

  /// Copies inputs that are streams to files. From then on the sizes of all inputs are known.
  /// @return their sum
  std::uint64_t spool(sort_resources& with);
  /// Takes the header, which stays first, with its end; then records begin after it. All inputs
  /// must be files.
  /// @throws std::runtime_error if a further input has another header
  std::string take_header(std::uint64_t lines);
  /// Releases the copies of inputs, which are not read any more.
  void release() const noexcept;

 private:
  std::unique_ptr<const input_rules> rules_;
  std::vector<input_file> all_;
};

/// Reads inputs in chunks, one after the other. For one thread at a time.
class inputs_reader {
 public:
  /// @param of outlives this object, as the disk does @param longest longest record that can be
  /// merged later
  inputs_reader(const sort_inputs& of, disk_queue& disk, std::uint64_t longest);

  /// Fills `memory` as chunk_reader does. @return none: there are no more records
  std::optional<chunk> next(std::span<std::byte> memory);

 private:
  std::deque<chunk_reader> readers_;
  std::uint64_t number_ = 0;
};

}  // namespace extsort
