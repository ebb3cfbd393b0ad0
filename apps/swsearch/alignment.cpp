// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "alignment.hpp"

#include <fmt/format.h>

#include <iterator>

namespace swsearch {
namespace {

// Calls, in order, `pair(q, s)` for each column of kind `both` and `gap(run)` for each run of
// another kind.
template <class Pair, class Gap>
void walk(const alignment& of, std::span<const residue> query, std::span<const residue> subject, Pair pair, Gap gap) {
  std::size_t q = of.query_begin, s = of.subject_begin;
  for (const run& each : of.runs) {
    switch (each.kind) {
      case column_kind::both:
        for (std::size_t i = 0; i != each.length; ++i) pair(query[q++], subject[s++]);
        break;
      case column_kind::query_only:
        gap(each);
        q += each.length;
        break;
      case column_kind::subject_only:
        gap(each);
        s += each.length;
        break;
    }
  }
}

char letter_of(column_kind kind) {
  return kind == column_kind::both ? 'M' : kind == column_kind::query_only ? 'I' : 'D';
}

}  // namespace

std::string cigar(const alignment& of) {
  std::string made;
  for (const run& each : of.runs) fmt::format_to(std::back_inserter(made), "{}{}", each.length, letter_of(each.kind));
  return made;
}

alignment_counts counts_of(const alignment& of, std::span<const residue> query, std::span<const residue> subject,
                           const score_matrix& scores) {
  alignment_counts made;
  walk(
      of, query, subject,
      [&](residue q, residue s) {
        ++made.columns;
        ++(q == s ? made.identities : made.mismatches);
        if (q == s || scores(q, s) > 0) ++made.positives;
      },
      [&](const run& gap) {
        made.columns += gap.length;
        made.gap_residues += gap.length;
        ++made.gap_openings;
      });
  return made;
}

}  // namespace swsearch
