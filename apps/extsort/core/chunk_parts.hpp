// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chunk.hpp"
#include "record_format.hpp"
#include "runs.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace extsort {

/// A part of the records of a sorted chunk that goes to one group, and its progress.
struct chunk_part {
  std::uint64_t at = 0;      ///< number of the next record in the order
  std::uint64_t end = 0;     ///< number after the last record
  std::uint64_t inside = 0;  ///< bytes of the record at `at` that have been sent already
  std::uint64_t sent = 0;    ///< bytes
  sample_places samples;
  std::uint64_t records = 0;
  std::uint64_t longest = 0;
  record_view last;  ///< the last record that was sent, if records are unique

  bool is_done() const noexcept { return at == end; }
};

/// Sorts chunks, and divides them. For one thread at a time.
class chunk_parter {
 public:
  virtual ~chunk_parter() = default;

  /// Sorts the records in the chunk's memory.
  virtual void sort(const chunk& of) = 0;
  /// Returns a record of the chunk that was sorted last. @param number in the order
  virtual record_view record(const chunk& of, std::uint64_t number) const = 0;
  /// Copies the next records, or pieces of them.
  /// @param samples gets the samples among them
  /// @return bytes: the size of `to`, unless the part is done
  virtual std::size_t take(const chunk& of, chunk_part& from, std::span<std::byte> to,
                           std::vector<sample>& samples) const = 0;
};

/// @param unique leaves out all but the first of records with equal keys
std::unique_ptr<chunk_parter> make_chunk_parter(const record_format& format, bool unique);

}  // namespace extsort
