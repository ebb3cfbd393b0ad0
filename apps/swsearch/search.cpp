// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "search.hpp"

#include "reference.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace swsearch {
namespace {

width next_after(width bits, const score_matrix& scores, const gap_costs& gaps) {
  return bits == width::bits_8 && can_use(width::bits_16, scores, gaps) ? width::bits_16 : width::bits_32;
}

// Returns the largest number of a subject's residues that an alignment can have: the highest
// possible score of the query's residues must pay for the residues in gaps.
std::uint64_t longest_alignment(std::span<const residue> query, const score_matrix& scores, const gap_costs& gaps) {
  std::int64_t most = 0;
  for (const residue each : query) most += std::max<std::int64_t>(0, std::ranges::max(scores.row(each)));
  if (most <= gaps.open) return query.size();
  if (gaps.extend == 0) return std::numeric_limits<std::uint32_t>::max();
  return query.size() + static_cast<std::uint64_t>((most - gaps.open) / gaps.extend);
}

// Returns by how many residues a piece of a subject must be extended, for each alignment to lie
// within one piece.
// @return none if tracing the whole subject costs little more than tracing a piece
std::optional<std::uint64_t> overlap_of_pieces(const database& subjects, std::size_t batch,
                                               std::span<const residue> query, const score_matrix& scores,
                                               const gap_costs& gaps) {
  constexpr std::uint64_t most = 14;  // times the length of a piece
  const std::uint64_t overlap = longest_alignment(query, scores, gaps);
  if (overlap >= most * subjects.columns(batch)) return std::nullopt;
  return overlap;
}

// Returns how many cells of vectors, in used or unused lanes, take the time of one cell of
// `align_pair`. Measured with AVX-512: 82 GCUPS with full vectors, against 49 for a pair of 35000
// residues, 21 for 2000 and 4 for 600.
double cells_for_one_of_a_pair(std::size_t longer) {
  const double shortness = 2048.0 / static_cast<double>(longer);
  return 2 * (1 + shortness * shortness);
}

// Selects sequences that are much longer than the other sequences in the same vector, if aligning
// each of them by itself takes less time.
// @param lengths the longest first
// @return for each lane, whether it holds such a sequence
std::bitset<lanes> lanes_for_pairs(std::span<const std::uint32_t> lengths, std::size_t query_length, width bits) {
  std::bitset<lanes> made;
  const std::size_t at_once = lanes_at_once(bits);
  for (std::size_t begin = 0; begin < lengths.size(); begin += at_once) {
    const auto slice = lengths.subspan(begin, std::min(at_once, lengths.size() - begin));
    const auto cells_of_vectors = [&](std::size_t longest) { return static_cast<double>(longest * at_once); };
    double least = cells_of_vectors(slice.front()), of_pairs = 0;
    std::size_t best = 0;
    for (std::size_t pairs = 1; pairs <= slice.size(); ++pairs) {
      const std::uint32_t length = slice[pairs - 1];
      of_pairs += length * cells_for_one_of_a_pair(std::max<std::size_t>({1, length, query_length}));
      if (of_pairs >= least) break;
      const double cells = of_pairs + (pairs == slice.size() ? 0 : cells_of_vectors(slice[pairs]));
      if (cells >= least) continue;
      least = cells;
      best = pairs;
    }
    for (std::size_t i = 0; i != best; ++i) made.set(begin + i);
  }
  return made;
}

}  // namespace

subject_part part_with(const database& subjects, std::span<const residue> query, const hit& known,
                       const score_matrix& scores, const gap_costs& gaps) {
  if (subjects.is_cut(known.batch)) {
    if (const auto overlap = overlap_of_pieces(subjects, known.batch, query, scores, gaps)) {
      const std::uint64_t size = subjects.columns(known.batch), begin = known.lane * size;
      return {begin, subjects.residues_of(known.batch, known.lane, begin, size + *overlap + longest_strip)};
    }
  }
  return {0, subjects.residues_of(known.batch, known.lane)};
}

pair_score searcher::search_pair(std::span<const residue> query, const std::vector<residue>& subject) {
  pair_score made = align_pair(query, subject, *scores_, *gaps_, pair_);
  if (made.score == too_high) made.score = reference_score(query, subject, *scores_, *gaps_);
  return made;
}

// Each alignment lies within one extended piece. The best score of all pieces is therefore the best
// of the whole. The first piece that has it contains the alignment that `align_traced` takes: if
// the piece did not contain all of it, an earlier piece would. If the extensions are so long that
// most cells would be computed several times, aligning the whole sequence takes less time. The
// hit's piece is then one that begins at or before the earliest possible start of the best
// alignment, and `part_with` takes the residues up to the end of the strip in which the alignment
// ends.
hit searcher::search_cut(const database& subjects, std::span<const residue> query, std::size_t batch) {
  constexpr std::ptrdiff_t few = 8;  // lanes; one by one they take less time than 16 bits for all lanes
  hit made{too_high, subjects.members(batch).front(), static_cast<std::uint32_t>(batch)};
  const std::uint64_t size = subjects.columns(batch);
  const auto overlap = overlap_of_pieces(subjects, batch, query, *scores_, *gaps_);
  if (!overlap || *overlap > size) {
    const pair_score found = search_pair(query, subjects.residues_of(batch, 0));
    made.score = found.score;
    if (overlap)
      made.lane = static_cast<std::uint8_t>((found.ends_after - std::min(found.ends_after, *overlap)) / size);
    return made;
  }
  const batch_view pieces = subjects.batch(batch, *overlap, gathered_);
  std::array<std::int64_t, lanes> best;
  best.fill(too_high);
  for (const width bits : {width::bits_8, width::bits_16, width::bits_32}) {
    if (std::ranges::count(best, too_high) > few && can_use(bits, *scores_, *gaps_))
      best = align(bits, query, pieces, *scores_, *gaps_, memory_);
  }
  for (std::size_t lane = 0; lane != lanes; ++lane) {
    hit present{best[lane], made.number, made.batch, static_cast<std::uint8_t>(lane)};
    if (present.score == too_high) {
      const auto residues = subjects.residues_of(batch, lane, lane * size, size + *overlap);
      present.score = search_pair(query, residues).score;
    }
    if (present.score > made.score) made = present;
  }
  return made;
}

std::vector<hit> searcher::search(const database& subjects, std::span<const residue> query, std::size_t first,
                                  std::size_t last) {
  std::vector<hit> hits;
  const width next = next_after(width::bits_8, *scores_, *gaps_);
  const bool starts_with_8 = can_use(width::bits_8, *scores_, *gaps_);
  const std::int64_t most_in_8 = most_certain(width::bits_8, *scores_, *gaps_);
  for (std::size_t batch = first; batch != last; ++batch) {
    if (subjects.is_cut(batch)) {
      hits.push_back(search_cut(subjects, query, batch));
      continue;
    }
    const auto members = subjects.members(batch);
    // 16 bits take twice the time of 8. If half of the scores must be computed again, the pass with
    // 8 bits was useless.
    const width bits = most_are_high_ || !starts_with_8 ? next : width::bits_8;
    batch_view view = subjects.batch(batch);
    const auto pairs = lanes_for_pairs(std::span(view.lengths).first(members.size()), query.size(), bits);
    for (std::size_t lane = 0; lane != lanes; ++lane) {
      if (pairs[lane]) view.lengths[lane] = 0;
    }
    auto best = align(bits, query, view, *scores_, *gaps_, memory_);
    for (std::size_t lane = 0; lane != lanes; ++lane) {
      if (pairs[lane]) best[lane] = search_pair(query, subjects.residues_of(batch, lane)).score;
    }
    std::size_t high = 0;
    for (std::size_t lane = 0; lane != members.size(); ++lane) {
      if (best[lane] == too_high || best[lane] > most_in_8) ++high;
      hits.push_back({best[lane], members[lane], static_cast<std::uint32_t>(batch), static_cast<std::uint8_t>(lane)});
    }
    most_are_high_ = 2 * high > members.size();
  }
  return hits;
}

void searcher::search_again(const database& subjects, std::span<const residue> query, std::span<hit> hits) {
  const width next = next_after(width::bits_8, *scores_, *gaps_);
  search_again(subjects, next, query, hits);
  if (next != width::bits_32) search_again(subjects, width::bits_32, query, hits);
  for (hit& each : hits) {
    if (each.score == too_high)  // more than 2^31
      each.score = reference_score(query, subjects.residues_of(each.batch, each.lane), *scores_, *gaps_);
  }
}

void searcher::search_again(const database& subjects, width bits, std::span<const residue> query, std::span<hit> hits) {
  std::vector<hit*> which;
  for (hit& each : hits) {
    if (each.score == too_high) which.push_back(&each);
  }
  const auto length_of = [&](const hit* each) { return subjects.length(each->number); };
  std::ranges::stable_sort(which, std::greater{}, length_of);
  for (std::size_t begin = 0; begin < which.size(); begin += lanes) {
    const auto present = std::span(which).subspan(begin, std::min(lanes, which.size() - begin));
    batch_view gathered;
    std::ranges::transform(present, gathered.lengths.begin(), length_of);
    const auto pairs = lanes_for_pairs(std::span(gathered.lengths).first(present.size()), query.size(), bits);
    for (std::size_t lane = 0; lane != present.size(); ++lane) {
      if (pairs[lane]) gathered.lengths[lane] = 0;
      gathered.columns = std::max<std::size_t>(gathered.columns, columns_for(gathered.lengths[lane]));
    }
    auto* const to = reinterpret_cast<residue*>(gathered_.bytes(std::max<std::size_t>(1, gathered.columns) * lanes));
    std::fill_n(to, gathered.columns * lanes, padding);
    for (std::size_t lane = 0; lane != present.size(); ++lane) {
      const residue* const from = subjects.batch(present[lane]->batch).residues + present[lane]->lane;
      for (std::size_t i = 0; i != gathered.lengths[lane]; ++i) to[i * lanes + lane] = from[i * lanes];
    }
    gathered.residues = to;
    const auto best = align(bits, query, gathered, *scores_, *gaps_, memory_);
    for (std::size_t lane = 0; lane != present.size(); ++lane) {
      hit& of = *present[lane];
      of.score = pairs[lane] ? search_pair(query, subjects.residues_of(of.batch, of.lane)).score : best[lane];
    }
  }
}

std::vector<residue> reversed(std::span<const residue> query, const alphabet& letters) {
  std::vector<residue> made(query.rbegin(), query.rend());
  for (residue& each : made) each = letters.complement(each);
  return made;
}

void keep_best(std::vector<hit>& hits, std::size_t most) {
  if (most == 0 || most >= hits.size()) {
    std::ranges::sort(hits, std::less{});
    return;
  }
  std::ranges::partial_sort(hits, hits.begin() + static_cast<std::ptrdiff_t>(most), std::less{});
  hits.resize(most);
}

}  // namespace swsearch
