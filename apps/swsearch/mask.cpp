// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "mask.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace swsearch {
namespace {

// Returns intervals with the same residues, in order and with gaps between them.
std::vector<interval> joined(std::vector<interval> all) {
  std::ranges::sort(all, {}, &interval::begin);
  std::vector<interval> made;
  for (const interval& each : all) {
    if (!made.empty() && each.begin <= made.back().end) {
      made.back().end = std::max(made.back().end, each.end);
    } else {
      made.push_back(each);
    }
  }
  return made;
}

// ---- SEG ----

constexpr std::size_t kinds = 20;  // of residues: the first codes of the alphabet; all other residues are vague
constexpr std::size_t window = 12;
constexpr std::size_t half = (window - 1) / 2;             // residues of a window before its middle
constexpr std::size_t most_vague = 2;                      // in a window whose complexity is known
constexpr double begins_below = 2.2, goes_on_below = 2.5;  // bits for each residue
constexpr std::size_t most_trimmed = 50;

// Rounded as in NCBI's table; the rounding decides between parts that are equally improbable.
class log_factorials {
 public:
  explicit log_factorials(std::size_t most) {
    double sum = 0;
    for (std::size_t i = 0; i <= most; ++i) {
      if (i != 0) sum += std::log(static_cast<double>(i));
      of_.push_back(std::round(sum * 1e6) / 1e6);
    }
  }
  double operator()(std::size_t number) const { return of_[number]; }

 private:
  std::vector<double> of_;
};

// Number of residues of each kind in a part of a sequence.
class kind_counts {
 public:
  void add(residue each) { of_kind(each) += 1; }
  void remove(residue each) { of_kind(each) -= 1; }

  std::size_t vague() const { return vague_; }

  // Returns the entropy in bits for each residue.
  double entropy() const {
    const auto total = static_cast<double>(std::accumulate(of_.begin(), of_.end(), std::size_t{0}));
    double sum = 0;
    for (const std::size_t each : of_) {
      if (each != 0) sum -= static_cast<double>(each) / total * std::log2(static_cast<double>(each) / total);
    }
    return sum;
  }

  // Returns the logarithm of the probability that this number of residues has such counts, whatever
  // the kinds are (the paper's P0).
  double log_probability(std::size_t length, const log_factorials& of) const {
    auto sorted = of_;
    std::ranges::sort(sorted);
    double sum = of(kinds) + of(length) - static_cast<double>(length) * std::log(kinds);
    for (std::size_t i = 0, same = 1; i != kinds; ++i, ++same) {
      sum -= of(sorted[i]);
      if (i + 1 != kinds && sorted[i + 1] == sorted[i]) continue;
      sum -= of(same);
      same = 0;
    }
    return sum;
  }

 private:
  std::size_t& of_kind(residue each) { return each < kinds ? of_[each] : vague_; }

  std::array<std::size_t, kinds> of_{};
  std::size_t vague_ = 0;
};

constexpr double unknown_complexity = 99;

// Returns the complexity of the window around each residue.
std::vector<double> complexities(std::span<const residue> of) {
  std::vector<double> made(of.size(), unknown_complexity);
  kind_counts counts;
  for (std::size_t i = 0; i != of.size(); ++i) {
    counts.add(of[i]);
    if (i + 1 < window) continue;
    const std::size_t begin = i + 1 - window;
    if (counts.vague() <= most_vague) made[begin + half] = counts.entropy();
    counts.remove(of[begin]);
  }
  return made;
}

// Returns the least probable part: of several, the longest, and of these the first.
interval least_probable(std::span<const residue> of) {
  const log_factorials factorials(std::max(kinds, of.size()));
  interval made{0, of.size()};
  double least = 0;
  const std::size_t shortest = of.size() > most_trimmed + 1 ? of.size() - most_trimmed : 1;
  for (std::size_t length = of.size(); length > shortest; --length) {
    kind_counts counts;
    for (const residue each : of.first(length)) counts.add(each);
    for (std::size_t begin = 0;; ++begin) {
      const double present = counts.log_probability(length, factorials);
      if (present < least) {
        least = present;
        made = {begin, begin + length};
      }
      if (begin + length == of.size()) break;
      counts.remove(of[begin]);
      counts.add(of[begin + length]);
    }
  }
  return made;
}

// @param offset position of these residues in the sequence
void add_segments(std::span<const residue> of, std::size_t offset, std::vector<interval>& made) {
  if (of.size() < window) return;
  const std::vector<double> all = complexities(of);
  std::size_t lowest = half;
  const std::size_t end = of.size() - (window - 1 - half);  // end of the middles of windows
  for (std::size_t i = half; i < end; ++i) {
    if (all[i] > begins_below) continue;
    std::size_t low = i, high = i;
    while (low > lowest && all[low - 1] <= goes_on_below) --low;
    while (high + 1 < end && all[high + 1] <= goes_on_below) ++high;
    const std::size_t begin = low - half, behind = high + (window - half);
    const interval trimmed = least_probable(of.subspan(begin, behind - begin));
    const std::size_t first = begin + trimmed.begin, last = begin + trimmed.end;
    // The part that has been cut off in front may contain a window with a low complexity of its
    // own.
    if (i + (window - half) <= first) add_segments(of.subspan(begin, first - begin), offset + begin, made);
    made.push_back({offset + first, offset + last});
    i = std::min(high, last - 1 + half);
    lowest = i + 1;
  }
}

// ---- DUST ----

constexpr std::size_t bases = 4;  // the first codes of the alphabet
constexpr std::size_t in_a_window = 64;
constexpr double level = 2;  // 20, in tenths

// A part's score is the number of pairs of equal triplets, divided by the number of triplets less
// one. A part is masked if its score is above the level and no part inside of it has a higher
// score.
void add_dust(std::span<const residue> of, std::size_t offset, std::vector<interval>& made) {
  if (of.size() < 3) return;
  const std::size_t triplets = of.size() - 2;
  std::vector<std::uint8_t> triplet(triplets);
  for (std::size_t i = 0; i != triplets; ++i)
    triplet[i] = static_cast<std::uint8_t>((of[i] * bases + of[i + 1]) * bases + of[i + 2]);
  constexpr std::size_t most = in_a_window - 2;  // triplets of a window
  // best[n]: the highest score of a part that begins at or behind the next triplet, and lies within
  // n triplets from there.
  std::array<double, most + 1> best{};
  for (std::size_t begin = triplets; begin-- != 0;) {
    std::array<std::uint8_t, bases * bases * bases> counts{};
    double pairs = 0, shorter = 0;
    std::size_t longest = 0;
    std::array<double, most + 1> of_this{};
    for (std::size_t n = 1; n <= std::min(most, triplets - begin); ++n) {
      pairs += counts[triplet[begin + n - 1]]++;
      const double score = n == 1 ? 0 : pairs / static_cast<double>(n - 1);
      const double inside = std::max(shorter, best[n - 1]);
      if (score > level && score >= inside) longest = n;
      shorter = of_this[n] = std::max(score, inside);
    }
    if (longest != 0) made.push_back({offset + begin, offset + begin + longest + 2});
    best = of_this;
  }
}

}  // namespace

std::vector<interval> low_complexity_of_protein(std::span<const residue> protein) {
  std::vector<interval> made;
  add_segments(protein, 0, made);
  return joined(std::move(made));
}

std::vector<interval> low_complexity_of_dna(std::span<const residue> dna) {
  std::vector<interval> made;
  const auto is_base = [](residue each) { return each < bases; };
  for (std::size_t begin = 0; begin < dna.size();) {
    const auto from = dna.subspan(begin);
    const auto size = static_cast<std::size_t>(std::ranges::find_if_not(from, is_base) - from.begin());
    add_dust(from.first(size), begin, made);
    begin += size + 1;
  }
  return joined(std::move(made));
}

void mask_low_complexity(std::span<residue> of, const alphabet& letters) {
  const bool is_dna = &letters == &alphabet::dna();
  for (const auto& [begin, end] : is_dna ? low_complexity_of_dna(of) : low_complexity_of_protein(of))
    std::ranges::fill(of.subspan(begin, end - begin), letters.unknown());
}

}  // namespace swsearch
