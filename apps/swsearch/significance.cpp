// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "significance.hpp"

#include <weir/io/from.hpp>

#include "kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace swsearch {
namespace {

frequencies frequencies_of(const alphabet& of, std::string_view letters, std::span<const double> shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  frequencies made{};
  for (std::size_t i = 0; i != letters.size(); ++i) made[of.code_of(letters[i])] = shares[i] / sum;
  return made;
}

// Number of random pairs with each score, for given sequence lengths.
struct sample {
  double query_length;
  double subject_length;
  std::vector<double> counts;  // by score

  double pairs() const { return std::accumulate(counts.begin(), counts.end(), 0.0); }
  double mean() const {
    double sum = 0;
    for (std::size_t score = 0; score != counts.size(); ++score) sum += static_cast<double>(score) * counts[score];
    return sum / pairs();
  }
};

class simulation {
 public:
  simulation(const score_matrix& scores, const gap_costs& gaps, const frequencies& of_residues)
      // No random sequences gain as much as the highest of these costs. Higher costs would change
      // nothing.
      : scores_(&scores), gaps_{std::min(gaps.open, 15'000), std::min(gaps.extend, 15'000)} {
    double sum = 0;
    for (std::size_t code = 0; code != codes; ++code) {
      sum += of_residues[code];
      const auto end = static_cast<std::size_t>(std::lround(std::min(1.0, sum) * 65536));
      drawn_.resize(std::max(end, drawn_.size()), static_cast<residue>(code));
    }
    if (drawn_.size() != 65536) throw std::invalid_argument("the frequencies of residues do not add up to 1");
    while (bits_ != width::bits_32 && !can_use(bits_, scores, gaps_)) bits_ = wider(bits_);
  }

  // Each query is aligned with 64 subjects, and these subjects with a few queries. Pairs that share
  // a sequence are almost independent, and alignments cost less than random numbers.
  sample run(std::size_t query_length, std::size_t subject_length, double cells) {
    sample made{static_cast<double>(query_length), static_cast<double>(subject_length), {}};
    const auto queries = static_cast<std::size_t>(
        std::ceil(cells / (static_cast<double>(lanes) * made.query_length * made.subject_length)));
    for (std::size_t i = 0; i != queries; ++i) {
      if (i % 8 == 0) draw_subjects(subject_length);
      query_.resize(query_length);
      for (residue& each : query_) each = draw();
      for (const std::int64_t score : align_all()) {
        const auto at = static_cast<std::size_t>(score);
        if (made.counts.size() <= at) made.counts.resize(at + 1);
        ++made.counts[at];
      }
    }
    return made;
  }

 private:
  struct alignas(lanes) column {
    residue of[lanes];
  };

  residue draw() {
    if (left_ == 0) {
      random_bits_ = random_();
      left_ = 4;
    }
    --left_;
    const residue made = drawn_[random_bits_ & 65535];
    random_bits_ >>= 16;
    return made;
  }

  void draw_subjects(std::size_t length) {
    columns_.resize((length + columns_at_once - 1) / columns_at_once * columns_at_once);
    for (std::size_t i = 0; i != columns_.size(); ++i) {
      for (residue& each : columns_[i].of) each = i < length ? draw() : padding;
    }
    subjects_.residues = columns_.data()->of;
    subjects_.columns = columns_.size();
    subjects_.lengths.fill(static_cast<std::uint32_t>(length));
  }

  std::array<std::int64_t, lanes> align_all() {
    auto best = align(bits_, query_, subjects_, *scores_, gaps_, memory_);
    for (width bits = bits_;;) {
      const auto unsure = std::ranges::count(best, -1);
      if (unsure == 0) return best;
      bits = wider(bits);
      if (unsure > 4) bits_ = bits;  // for all further queries
      best = align(bits, query_, subjects_, *scores_, gaps_, memory_);
    }
  }

  const score_matrix* scores_;
  gap_costs gaps_;
  width bits_ = width::bits_8;
  kernel_memory memory_;
  std::mt19937_64 random_{20260101};
  std::uint64_t random_bits_ = 0;
  int left_ = 0;
  std::vector<residue> drawn_;  // by 16 random bits
  std::vector<residue> query_;
  std::vector<column> columns_;
  batch_view subjects_;
};

// Parameters of alignments without gaps, computed from the scores alone (Karlin, Altschul 1990).
struct ungapped {
  double lambda;
  double length;      // residues per unit of score
  double dispersion;  // variance of a length divided by its mean
};

ungapped without_gaps(const score_matrix& scores, const frequencies& of_residues) {
  std::array<double, 3> moments;  // of the score of a pair of aligned residues
  const auto find_moments = [&](double lambda) {
    moments.fill(0);
    for (residue a = 0; a != codes; ++a) {
      for (residue b = 0; b != codes; ++b) {
        const double score = scores(a, b);
        double term = of_residues[a] * of_residues[b] * std::exp(lambda * score);
        for (double& each : moments) each += std::exchange(term, term * score);
      }
    }
  };
  double low = 0, high = 1;
  for (find_moments(high); moments[0] < 1; find_moments(high)) high *= 2;
  while (high - low > 1e-12 * high) {
    const double middle = (low + high) / 2;
    find_moments(middle);
    (moments[0] < 1 ? low : high) = middle;
  }
  return {high, 1 / moments[1], (moments[2] - moments[1] * moments[1]) / (moments[1] * moments[1])};
}

// The parameters that the fit varies. Each of the five may be any number, and they depend little on
// each other.
//     logarithms of: lambda, expected at `threshold` for each pair of residues, alpha, mean length at `threshold`,
//     dispersion
constexpr std::size_t unknowns = 5;
using point = std::array<double, unknowns>;

significance at(const point& logs, double threshold) {
  const double lambda = std::exp(logs[0]), alpha = std::exp(logs[2]);
  return {.lambda = lambda,
          .k = std::exp(logs[1] + lambda * threshold),
          .alpha = alpha,
          .beta = std::exp(logs[3]) - alpha * threshold,
          .dispersion = std::exp(logs[4])};
}

// Maximum likelihood by Fisher's scoring, damped as by Levenberg and Marquardt. All scores below
// the threshold count as one class: low scores have no room for gaps, and follow other laws. The
// guessed lengths enter with a small weight: if lengths matter little, the scores say little about
// them.
class fit {
 public:
  fit(std::span<const sample> samples, std::int64_t threshold, std::int64_t step)
      : samples_(samples), threshold_(threshold), step_(step) {
    for (const sample& each : samples) {
      auto& made = observed_.emplace_back(1, 0.0);
      for (std::size_t score = 0; score != each.counts.size(); ++score) {
        const auto behind = static_cast<std::int64_t>(score) - threshold;
        const auto cell = behind < 0 ? 0 : static_cast<std::size_t>(behind / step) + 1;
        if (made.size() <= cell) made.resize(cell + 1);
        made[cell] += each.counts[score];
      }
    }
  }

  significance from(const point& guess) {
    guess_ = guess;
    point start = guess;
    double likelihood = likelihood_at(start), damping = 1e-2;
    for (int round = 0; round != 200 && damping < 1e12; ++round) {
      const auto [gradient, information] = slope_at(start);
      double moved = 0;
      for (; damping < 1e12; damping *= 8) {
        const point by = solution(information, gradient, damping);
        point next = start;
        moved = 0;
        for (std::size_t i = 0; i != unknowns; ++i) {
          const double bounded = std::clamp(by[i], -0.5, 0.5);
          next[i] += bounded;
          moved = std::max(moved, std::abs(bounded));
        }
        const double there = likelihood_at(next);
        if (!(there >= likelihood)) continue;
        likelihood = there;
        start = next;
        damping /= 8;
        break;
      }
      if (moved < 1e-9) break;
    }
    return at(start, static_cast<double>(threshold_));
  }

 private:
  using matrix = std::array<point, unknowns>;
  static constexpr double weight = 2;  // weight of a guess that is right within a factor of 2 in two of three cases

  // Returns the probabilities of a sample's cells: one cell for all scores below the threshold, one
  // for each score, and the last one for all scores above.
  std::vector<double> predicted(std::size_t number, const point& where) const {
    const significance model = at(where, static_cast<double>(threshold_));
    const sample& of = samples_[number];
    std::vector<double> made;
    double above = std::numeric_limits<double>::infinity();  // expected number for this cell and all cells behind it
    for (std::size_t cell = 0; cell != observed_[number].size(); ++cell) {
      const auto score = static_cast<double>(threshold_ + static_cast<std::int64_t>(cell) * step_);
      const bool is_last = cell + 1 == observed_[number].size();
      const double behind = is_last ? 0 : model.expected(score, of.query_length, of.subject_length);
      made.push_back(std::max(1e-300, -std::exp(-behind) * std::expm1(behind - above)));
      above = behind;
    }
    return made;
  }

  double likelihood_at(const point& where) const {
    double sum = 0;
    for (std::size_t i = 2; i != unknowns; ++i) sum -= weight * (where[i] - guess_[i]) * (where[i] - guess_[i]) / 2;
    for (std::size_t i = 0; i != samples_.size(); ++i) {
      const auto probabilities = predicted(i, where);
      for (std::size_t cell = 0; cell != probabilities.size(); ++cell)
        sum += observed_[i][cell] * std::log(probabilities[cell]);
    }
    return sum;
  }

  std::pair<point, matrix> slope_at(const point& where) const {
    constexpr double apart = 1e-4;
    point gradient{};
    matrix information{};
    for (std::size_t i = 2; i != unknowns; ++i) {
      gradient[i] = weight * (guess_[i] - where[i]);
      information[i][i] = weight;
    }
    for (std::size_t i = 0; i != samples_.size(); ++i) {
      const auto probabilities = predicted(i, where);
      const double pairs = samples_[i].pairs();
      std::array<std::vector<double>, unknowns> changes;
      for (std::size_t j = 0; j != unknowns; ++j) {
        point less = where, more = where;
        less[j] -= apart;
        more[j] += apart;
        const auto before = predicted(i, less);
        changes[j] = predicted(i, more);
        for (std::size_t cell = 0; cell != before.size(); ++cell)
          changes[j][cell] = (changes[j][cell] - before[cell]) / (2 * apart);
      }
      for (std::size_t cell = 0; cell != probabilities.size(); ++cell) {
        for (std::size_t j = 0; j != unknowns; ++j) {
          gradient[j] += observed_[i][cell] * changes[j][cell] / probabilities[cell];
          for (std::size_t l = 0; l != unknowns; ++l)
            information[j][l] += pairs * changes[j][cell] * changes[l][cell] / probabilities[cell];
        }
      }
    }
    return {gradient, information};
  }

  // Solves the equations by Gauss's elimination; the damped matrix is positive definite.
  static point solution(matrix of, point right, double damping) {
    for (std::size_t i = 0; i != unknowns; ++i) of[i][i] += damping * of[i][i] + 1e-9;
    for (std::size_t i = 0; i != unknowns; ++i) {
      for (std::size_t row = i + 1; row != unknowns; ++row) {
        const double factor = of[row][i] / of[i][i];
        for (std::size_t column = i; column != unknowns; ++column) of[row][column] -= factor * of[i][column];
        right[row] -= factor * right[i];
      }
    }
    for (std::size_t i = unknowns; i-- != 0;) {
      for (std::size_t column = i + 1; column != unknowns; ++column) right[i] -= of[i][column] * right[column];
      right[i] /= of[i][i];
    }
    return right;
  }

  std::span<const sample> samples_;
  std::int64_t threshold_;
  std::int64_t step_;
  point guess_{};
  std::vector<std::vector<double>> observed_;
};

// Rounds to the accuracy of the simulation, which is far coarser than the differences between the
// mathematics of different machines.
double rounded(double number) {
  if (number == 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(number))) - 4);
  return std::round(number / unit) * unit;
}

double normal(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

}  // namespace

const frequencies& protein_frequencies() {
  static const frequencies made =
      frequencies_of(alphabet::protein(), "ACDEFGHIKLMNPQRSTVWY",
                     std::array{78.05, 19.25, 53.64, 62.95, 38.56, 73.77, 21.99, 51.42, 57.44, 90.19,
                                22.43, 44.87, 52.03, 42.64, 51.29, 71.20, 58.41, 64.41, 13.30, 32.16});
  return made;
}

const frequencies& dna_frequencies() {
  static const frequencies made = frequencies_of(alphabet::dna(), "ACGT", std::array{1.0, 1.0, 1.0, 1.0});
  return made;
}

double significance::bit_score(double score) const { return (lambda * score - std::log(k)) / std::numbers::ln2; }

double significance::expected(double score, double query_length, double subject_length) const {
  const double m = std::min(query_length, subject_length), n = std::max(query_length, subject_length);
  if (m <= 0) return 0;
  const double mean = std::max(1.0, alpha * score + beta);
  const double square = mean * (mean + dispersion);  // mean of L * L
  const double spread = std::sqrt(std::log1p(dispersion / mean));
  const double z = (std::log(m / mean) + spread * spread / 2) / spread;
  const double area = m * n * normal(z) - (m + n) * mean * normal(z - spread) + square * normal(z - 2 * spread);
  return k * std::max(0.0, area) * std::exp(-lambda * score);
}

double significance::e_value(double score, std::uint64_t query_length, std::uint64_t subject_length,
                             std::uint64_t database_residues) const {
  const auto subject = static_cast<double>(subject_length);
  return expected(score, static_cast<double>(query_length), subject) *
         (static_cast<double>(database_residues) / subject);
}

significance fit_significance(const score_matrix& scores, const gap_costs& gaps, const frequencies& of_residues,
                              double effort) {
  const auto none = [](std::string_view why) {
    return std::invalid_argument(fmt::format("there are no e-values for these scores: {}", why));
  };
  double average = 0;
  int most = 0, step = std::gcd(gaps.open, gaps.extend);
  for (residue a = 0; a != codes; ++a) {
    for (residue b = 0; b != codes; ++b) {
      const double share = of_residues[a] * of_residues[b];
      if (share == 0) continue;
      average += share * scores(a, b);
      most = std::max(most, scores(a, b));
      step = std::gcd(step, scores(a, b));
    }
  }
  if (most <= 0) throw none("no two residues score above 0");
  if (average >= 0) throw none("two residues score 0 or more on average");

  simulation pairs(scores, gaps, of_residues);
  const double cells = 1.5e10 * effort;
  const double short_mean = pairs.run(250, 250, 0.01 * cells).mean();
  const sample samples[] = {pairs.run(1000, 1000, 0.50 * cells), pairs.run(250, 1000, 0.20 * cells),
                            pairs.run(40, 1000, 0.20 * cells)};
  const double mean = samples[0].mean();
  const double long_mean = pairs.run(4000, 4000, 0.08 * cells).mean();
  // A logarithm grows by the same amount with each fourfold length. If gaps begin to cost too
  // little, scores grow with the cube root, by 1.6 times as much each time, and with still lower
  // costs in proportion.
  if (long_mean - mean > 1.5 * (mean - short_mean)) {
    throw none(
        fmt::format("where {}, those of random sequences grow with their length; choose higher costs", gaps.text()));
  }
  const ungapped start = without_gaps(scores, of_residues);
  // Most of the longest pairs score above the threshold.
  const auto threshold = static_cast<std::int64_t>(std::max(1.0, mean - 1.3 / start.lambda) / step) * step;
  const auto at_threshold = static_cast<double>(threshold);
  const significance found =
      fit(samples, threshold, step)
          .from({std::log(0.8 * start.lambda), std::log(1.5e-6), std::log(2 * start.length),
                 std::log(1.5 * start.length * std::max(1.0, at_threshold)), std::log(3 * start.dispersion)});
  return {rounded(found.lambda), rounded(found.k), rounded(found.alpha), rounded(found.beta),
          rounded(found.dispersion)};
}

}  // namespace swsearch
