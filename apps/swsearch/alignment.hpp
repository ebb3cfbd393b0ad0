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

/// What a column of an alignment has residues of.
enum class column_kind : std::uint8_t {
  both,
  query_only,   ///< an insertion, I of a CIGAR
  subject_only  ///< a deletion, D of a CIGAR
};

/// So many columns of a kind.
struct run {
  column_kind kind;
  std::size_t length;

  friend bool operator==(const run&, const run&) = default;
};

/// A local alignment of the query's residues from `query_begin` to before `query_end`, counted from
/// 0, with those of the subject. No run is empty, neighbours differ in kind, and the first and the
/// last are of `both`; an insertion may stand next to a deletion. With a score of 0 there are no
/// runs, and all is 0.
struct alignment {
  std::int64_t score = 0;
  std::size_t query_begin = 0;
  std::size_t query_end = 0;
  std::size_t subject_begin = 0;
  std::size_t subject_end = 0;
  std::vector<run> runs;

  friend bool operator==(const alignment&, const alignment&) = default;
};

/// See `counts_of`.
struct alignment_counts {
  std::size_t columns = 0;  ///< identities + mismatches + gap_residues
  std::size_t identities = 0;
  std::size_t positives = 0;   ///< identities, and pairs of others that score above 0
  std::size_t mismatches = 0;  ///< pairs that are no identities
  std::size_t gap_openings = 0;
  std::size_t gap_residues = 0;

  friend bool operator==(const alignment_counts&, const alignment_counts&) = default;
};

/// "12M3I4M"; of an empty alignment "". What lies before and behind the alignment is not mentioned.
std::string cigar(const alignment& of);

/// As BLAST counts: two residues of the same code are an identity and a positive whatever they
/// score, X with X, too; an insertion next to a deletion is two openings.
alignment_counts counts_of(const alignment& of, std::span<const residue> query, std::span<const residue> subject,
                           const score_matrix& scores);

}  // namespace swsearch
