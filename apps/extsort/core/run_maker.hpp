// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chunk.hpp"
#include "record_format.hpp"
#include "record_writer.hpp"
#include "runs.hpp"

#include <cstdint>
#include <memory>

namespace extsort {

/// Makes runs from chunks. For one thread at a time.
class run_maker {
 public:
  virtual ~run_maker() = default;

  /// Sorts the records in the chunk's memory, and writes them; `to` is not finished.
  /// @return the run without its place
  virtual run make(const chunk& of, record_writer& to) = 0;
};

/// @param sample_distance bytes of a run between two samples
/// @param unique leaves out all but the first of records with equal keys
std::unique_ptr<run_maker> make_run_maker(const record_format& format, std::uint64_t sample_distance, bool unique);

}  // namespace extsort
