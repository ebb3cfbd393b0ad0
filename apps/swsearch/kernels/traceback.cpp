// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "traceback.hpp"

#include "sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace swsearch {
namespace {

constexpr std::int64_t most_score = std::int64_t{1} << 29;

std::size_t rounded_up(std::size_t length) { return (length + sweep_step - 1) / sweep_step * sweep_step; }

template <class T>
T* at_least(std::vector<T>& memory, std::size_t size) {
  if (memory.size() < size) memory.resize(size);
  return memory.data();
}

// Rows are residues of the subject, columns are residues of the query.
struct rectangle {
  std::size_t row = 0;
  std::size_t column = 0;
  std::size_t height = 0;
  std::size_t width = 0;
};

// The values from which a rectangle's cells are computed, as in `sweep_task`.
struct border {
  const std::int32_t* above;  // width + 1
  const std::int32_t* down;   // width
  const std::int32_t* left;   // height
  const std::int32_t* right;  // height
};

// The known borders of a rectangle that is divided into tiles.
struct grid {
  rectangle area;
  std::size_t height;  // height of a tile
  std::size_t width;
  std::size_t rows;
  std::size_t columns;
  std::size_t across;  // width of the area, rounded up
  std::int32_t* data;

  std::size_t size() const { return rows * (2 * across + 1) + columns * 2 * area.height; }
  std::int32_t* above(std::size_t row) const { return data + row * (2 * across + 1); }
  std::int32_t* down(std::size_t row) const { return above(row) + across + 1; }
  std::int32_t* left(std::size_t column) const { return above(rows) + column * 2 * area.height; }
  std::int32_t* right(std::size_t column) const { return left(column) + area.height; }
};

// Bits kept for a cell: the pair does not give its best score; the gap from above does not give it
// (if neither gives it, the gap from the left does); the gap that continues from the cell, down or
// right, opens there.
constexpr unsigned no_pair = 1, not_from_above = 2, opens_down = 4, opens_right = 8;

}  // namespace

traceback_memory::traceback_memory(std::size_t tiles, std::size_t cells)
    : tiles_(std::max<std::size_t>(2, tiles)), cells_(std::max<std::size_t>(256, cells)) {
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(cells_)));
  side_ = root / sweep_step * sweep_step;
}

std::size_t traceback_memory::bytes() const noexcept {
  std::size_t made = rows_.capacity() * sizeof(std::int32_t) + profile_.capacity() + steps_.capacity();
  for (const auto& each : borders_) made += each.capacity() * sizeof(std::int32_t);
  return made;
}

class tracer {
 public:
  tracer(std::span<const residue> query, std::span<const residue> subject, const score_matrix& scores,
         const gap_costs& gaps, traceback_memory& memory)
      : query_(query), subject_(subject), scores_(scores), gaps_(gaps), memory_(memory) {
    const auto shorter = static_cast<std::int64_t>(std::min(query.size(), subject.size()));
    if (shorter > most_score / std::max(1, scores.most())) {
      throw std::length_error(
          fmt::format("sequences of {} and {} residues are too long to be aligned with scores of {}", query.size(),
                      subject.size(), scores.most()));
    }
    const std::int64_t most = shorter * scores.most() + 1;
    const auto up_to_most = [&](std::int64_t cost) { return static_cast<std::int32_t>(std::min(cost, most)); };
    costs_ = {.first = up_to_most(std::int64_t{gaps.open} + gaps.extend),
              .extend = up_to_most(gaps.extend),
              .most = up_to_most(most)};
  }

  alignment run_through() {
    const grid all = divided({0, 0, subject_.size(), query_.size()}, 0);
    std::fill_n(all.data, all.size(), 0);
    const best_cell best = fill(all);
    alignment made;
    if (best.score == 0) return made;
    made.score = best.score;
    row_ = made.subject_end = best.row + 1;
    column_ = made.query_end = best.column + 1;
    score_ = best.score;
    trace(all, 0);
    made.subject_begin = row_;
    made.query_begin = column_;
    std::ranges::reverse(runs_);
    made.runs = std::move(runs_);
    return made;
  }

 private:
  struct best_cell {
    std::int32_t score = 0;
    std::size_t row = 0;
    std::size_t column = 0;

    bool is_better_than(const best_cell& other) const {
      if (score != other.score) return score > other.score;
      return row != other.row ? row < other.row : column < other.column;
    }
  };

  grid divided(const rectangle& area, std::size_t depth) {
    const auto side_of = [&](std::size_t length) {
      return std::max(memory_.side_, rounded_up((length + memory_.tiles_ - 1) / memory_.tiles_));
    };
    grid made{.area = area,
              .height = side_of(area.height),
              .width = side_of(area.width),
              .rows = 0,
              .columns = 0,
              .across = rounded_up(area.width),
              .data = nullptr};
    made.rows = (area.height + made.height - 1) / made.height;
    made.columns = (area.width + made.width - 1) / made.width;
    if (memory_.borders_.size() <= depth) memory_.borders_.resize(depth + 1);
    made.data = at_least(memory_.borders_[depth], made.size());
    return made;
  }

  static rectangle tile_of(const grid& in, std::size_t row, std::size_t column) {
    return {in.area.row + row * in.height, in.area.column + column * in.width,
            std::min(in.height, in.area.height - row * in.height),
            std::min(in.width, in.area.width - column * in.width)};
  }

  static border border_of(const grid& in, std::size_t row, std::size_t column) {
    return {in.above(row) + column * in.width, in.down(row) + column * in.width, in.left(column) + row * in.height,
            in.right(column) + row * in.height};
  }

  // Computes the borders of all tiles from the outer borders. @return the best cell
  best_cell fill(const grid& all) {
    for (std::size_t row = 1; row != all.rows; ++row) all.above(row)[0] = all.left(0)[row * all.height - 1];
    const std::size_t width = std::min(all.width, all.across);
    std::int32_t* const rows = at_least(memory_.rows_, 3 * width + 2 + 2 * all.height);
    best_cell best;
    for (std::size_t column = 0; column != all.columns; ++column) {
      const std::size_t across = rounded_up(tile_of(all, 0, column).width);
      sweep_task task{.subject = {},
                      .width = across,
                      .profile = profile_of(all.area.column + column * all.width, across),
                      .costs = costs_,
                      .row = rows,
                      .other_row = rows + across + 1,
                      .down = rows + 2 * (across + 1),
                      .left = nullptr,
                      .right = nullptr,
                      .last = rows + 3 * across + 2,
                      .right_out = rows + 3 * across + 2 + all.height};
      for (std::size_t row = 0; row != all.rows; ++row) {
        const rectangle tile = tile_of(all, row, column);
        const border around = border_of(all, row, column);
        std::copy_n(around.above, across + 1, task.row);
        std::copy_n(around.down, across, task.down);
        task.subject = subject_.subspan(tile.row, tile.height);
        task.left = around.left;
        task.right = around.right;
        if (column + 1 != all.columns) {
          task.last = all.left(column + 1) + row * all.height;
          task.right_out = all.right(column + 1) + row * all.height;
        }
        const sweep_best found = sweep(task);
        const best_cell here{found.score, tile.row + found.row, tile.column + found.column};
        if (here.is_better_than(best)) best = here;
        if (row + 1 != all.rows) {
          std::copy_n(task.row + 1, across, all.above(row + 1) + column * all.width + 1);
          std::copy_n(task.down, across, all.down(row + 1) + column * all.width);
        }
      }
    }
    return best;
  }

  // A column behind the query's end never scores as a pair.
  const std::int8_t* profile_of(std::size_t begin, std::size_t width) {
    std::int8_t* const made = at_least(memory_.profile_, codes * width);
    for (std::size_t column = 0; column != width; ++column) {
      if (begin + column < query_.size()) {
        const auto& scores = scores_.row(query_[begin + column]);
        for (std::size_t code = 0; code != codes; ++code) made[code * width + column] = scores[code];
      } else {
        for (std::size_t code = 0; code != codes; ++code) made[code * width + column] = -128;
      }
    }
    return made;
  }

  bool is_inside(const rectangle& area) const { return score_ != 0 && row_ > area.row && column_ > area.column; }

  // Traces back until the trace leaves the grid, or the alignment begins.
  void trace(const grid& all, std::size_t depth) {
    while (is_inside(all.area)) {
      const std::size_t row = (row_ - 1 - all.area.row) / all.height;
      const std::size_t column = (column_ - 1 - all.area.column) / all.width;
      rectangle tile = tile_of(all, row, column);
      tile.height = row_ - tile.row;
      tile.width = column_ - tile.column;
      const border around = border_of(all, row, column);
      if (tile.width <= memory_.cells_ / tile.height) {
        trace(tile, around);
        continue;
      }
      const grid parts = divided(tile, depth + 1);
      std::fill_n(parts.data, parts.across * 2 + 1, 0);
      std::copy_n(around.above, tile.width + 1, parts.above(0));
      std::copy_n(around.down, tile.width, parts.down(0));
      std::copy_n(around.left, tile.height, parts.left(0));
      std::copy_n(around.right, tile.height, parts.right(0));
      fill(parts);
      trace(parts, depth + 1);
    }
  }

  void trace(const rectangle& area, const border& around) {
    const std::uint8_t* const steps = steps_of(area, around);
    while (is_inside(area)) {
      const std::uint8_t step = steps[(row_ - 1 - area.row) * area.width + (column_ - 1 - area.column)];
      switch (gap_) {
        case column_kind::both:
          if ((step & no_pair) == 0) {
            score_ -= scores_(query_[--column_], subject_[--row_]);
            add(column_kind::both);
          } else if ((step & not_from_above) == 0) {
            --row_;
            add(gap_ = column_kind::subject_only);
          } else {
            --column_;
            add(gap_ = column_kind::query_only);
          }
          break;
        case column_kind::subject_only:
          score_ += gaps_.extend;
          if ((step & opens_down) != 0) {
            score_ += gaps_.open;
            gap_ = column_kind::both;
          } else {
            --row_;
            add(gap_);
          }
          break;
        case column_kind::query_only:
          score_ += gaps_.extend;
          if ((step & opens_right) != 0) {
            score_ += gaps_.open;
            gap_ = column_kind::both;
          } else {
            --column_;
            add(gap_);
          }
          break;
      }
    }
  }

  const std::uint8_t* steps_of(const rectangle& area, const border& around) {
    std::uint8_t* const made = at_least(memory_.steps_, area.height * area.width);
    std::int32_t* const best = at_least(memory_.rows_, 2 * area.width);
    std::int32_t* const down = best + area.width;
    std::copy_n(around.above + 1, area.width, best);
    std::copy_n(around.down, area.width, down);
    std::uint8_t* to = made;
    for (std::size_t i = 0; i != area.height; ++i) {
      const residue of_row = subject_[area.row + i];
      std::int32_t diagonal = i == 0 ? around.above[0] : around.left[i - 1];
      std::int32_t right = around.right[i];
      for (std::size_t j = 0; j != area.width; ++j) {
        const std::int32_t pair = diagonal + scores_(query_[area.column + j], of_row);
        const std::int32_t here = std::max(std::max(pair, 0), std::max(down[j], right));
        const std::int32_t opened = here - costs_.first;
        const std::int32_t longer_down = down[j] - costs_.extend;
        const std::int32_t longer_right = right - costs_.extend;
        *to++ = static_cast<std::uint8_t>((here != pair ? no_pair : 0) | (here != down[j] ? not_from_above : 0) |
                                          (opened >= longer_down ? opens_down : 0) |
                                          (opened >= longer_right ? opens_right : 0));
        diagonal = std::exchange(best[j], here);
        down[j] = std::max(longer_down, opened);
        right = std::max(longer_right, opened);
      }
    }
    return made;
  }

  void add(column_kind kind) {
    if (runs_.empty() || runs_.back().kind != kind) runs_.push_back({kind, 0});
    ++runs_.back().length;
  }

  std::span<const residue> query_;
  std::span<const residue> subject_;
  const score_matrix& scores_;
  const gap_costs& gaps_;
  traceback_memory& memory_;
  sweep_costs costs_;

  // State of the trace: the rows and columns still ahead, the score that they contribute, and the
  // kind of gap that this part ends in, if any.
  std::size_t row_ = 0;
  std::size_t column_ = 0;
  std::int64_t score_ = 0;
  column_kind gap_ = column_kind::both;
  std::vector<run> runs_;
};

alignment align_traced(std::span<const residue> query, std::span<const residue> subject, const score_matrix& scores,
                       const gap_costs& gaps, traceback_memory& memory) {
  if (query.empty() || subject.empty() || scores.most() <= 0) return {};
  return tracer(query, subject, scores, gaps, memory).run_through();
}

}  // namespace swsearch
