// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scoring.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace swsearch {

/// The sequences that have a residue in a column of an alignment.
enum class column_kind : std::uint8_t {
  both,
  query_only,   ///< an insertion, I of a CIGAR
  subject_only  ///< a deletion, D of a CIGAR
};

/// Consecutive columns of one kind.
struct run {
  column_kind kind;
  std::size_t length;

  friend bool operator==(const run&, const run&) = default;
};

/// A local alignment of the query's residues from `query_begin` to before `query_end`, counted from
/// 0, with those of the subject. No run is empty, neighbouring runs differ in kind, and the first
/// and the last run are of kind `both`. An insertion may stand next to a deletion. An alignment
/// with score 0 has no runs, and all its numbers are 0.
struct alignment {
  std::int64_t score = 0;
  std::size_t query_begin = 0;
  std::size_t query_end = 0;
  std::size_t subject_begin = 0;
  std::size_t subject_end = 0;
  std::vector<run> runs;

  friend bool operator==(const alignment&, const alignment&) = default;
};

/// The counts of an alignment; see `counts_of`.
struct alignment_counts {
  std::size_t columns = 0;  ///< identities + mismatches + gap_residues
  std::size_t identities = 0;
  std::size_t positives = 0;   ///< identities, and other pairs that score above 0
  std::size_t mismatches = 0;  ///< pairs that are not identities
  std::size_t gap_openings = 0;
  std::size_t gap_residues = 0;

  friend bool operator==(const alignment_counts&, const alignment_counts&) = default;
};

/// Returns a text such as "12M3I4M"; "" for an empty alignment. Residues outside of the alignment
/// are not mentioned.
std::string cigar(const alignment& of);

/// Counts as BLAST does: two residues with the same code are an identity and a positive whatever
/// they score, even X with X. An insertion next to a deletion counts as two openings.
alignment_counts counts_of(const alignment& of, std::span<const residue> query, std::span<const residue> subject,
                           const score_matrix& scores);

}  // namespace swsearch
