// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Computes one row at a time, with its columns in the lanes of vectors. Gaps along the row are
// prefix maxima (Khajeh-Saeed, Poole, Perot 2010), computed inside each vector first; a vector
// therefore waits for its left neighbour for only two instructions. Such gaps open from the best
// score without a gap along the row: to close such a gap only to open another never pays.
//
// A lane without a left neighbour gets 0: a gap that is worth 0 changes nothing.
#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep.cpp"
#include "sweep.hpp"

#include <hwy/foreach_target.h>  // must come before the code below
#include <hwy/highway.h>

#include <algorithm>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace swsearch::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using numbers = hn::CappedTag<std::int32_t, sweep_step>;
using vector = hn::Vec<numbers>;

// Returns the cost of `count(lane)` residues of a gap for each lane.
template <class Count>
vector costs_of(const sweep_costs& costs, Count count) {
  HWY_ALIGN std::int32_t of[sweep_step];
  for (std::size_t lane = 0; lane != hn::Lanes(numbers()); ++lane) {
    of[lane] = static_cast<std::int32_t>(
        std::min<std::int64_t>(costs.most, std::int64_t{costs.extend} * static_cast<std::int64_t>(count(lane))));
  }
  return hn::Load(numbers(), of);
}

// Returns indices for a lookup.
template <class From>
auto indices_of(From from) {
  HWY_ALIGN std::int32_t of[sweep_step];
  for (std::size_t lane = 0; lane != hn::Lanes(numbers()); ++lane) of[lane] = static_cast<std::int32_t>(from(lane));
  return hn::SetTableIndices(numbers(), of);
}

sweep_best sweep_rows(const sweep_task& task) {
  const numbers d;
  const hn::Rebind<std::int8_t, numbers> narrow;
  const std::size_t step = hn::Lanes(d);
  const sweep_costs& costs = task.costs;
  const auto zero = hn::Zero(d);
  const auto first = hn::Set(d, costs.first);
  const auto extend = hn::Set(d, costs.extend);
  const auto of_step = costs_of(costs, [&](std::size_t) { return step; });
  const auto of_lanes = costs_of(costs, [](std::size_t lane) { return lane; });
  const auto to_last = indices_of([&](std::size_t) { return step - 1; });
  const auto to_left = indices_of([](std::size_t lane) { return lane == 0 ? 0 : lane - 1; });
  const auto is_not_first = hn::Gt(hn::Iota(d, 0), zero);
#if HWY_TARGET != HWY_SCALAR
  // Blocks have four lanes. These read the last lane of the block before, and of the one before
  // that.
  const auto of_two = costs_of(costs, [](std::size_t) { return 2; });
  const auto to_block = indices_of([](std::size_t lane) { return lane < 4 ? 0 : lane / 4 * 4 - 1; });
  const auto to_second = indices_of([](std::size_t lane) { return lane < 8 ? 0 : lane / 4 * 4 - 5; });
  const auto is_in_block = hn::Gt(hn::Iota(d, 0), hn::Set(d, 3));
  const auto is_in_second = hn::Gt(hn::Iota(d, 0), hn::Set(d, 7));
  const auto of_block = costs_of(costs, [](std::size_t lane) { return lane % 4 + 1; });
  const auto of_second = costs_of(costs, [](std::size_t lane) { return lane % 4 + 5; });
#endif
  sweep_best found;
  auto best = zero;
  std::int32_t* row = task.row;
  std::int32_t* next = task.other_row;
  for (std::size_t i = 0; i != task.subject.size(); ++i) {
    const std::int8_t* const scores = task.profile + task.subject[i] * task.width;
    auto best_of_row = zero;
    auto right = hn::Set(d, task.right[i]);
    next[0] = task.left[i];
    for (std::size_t j = 0; j != task.width; j += step) {
      const auto score = hn::PromoteTo(d, hn::LoadU(narrow, scores + j));
      const auto down = hn::LoadU(d, task.down + j);
      auto h = hn::Max(hn::Max(hn::Add(hn::LoadU(d, row + j), score), down), zero);
      auto opened = hn::Sub(h, first);
#if HWY_TARGET != HWY_SCALAR
      opened = hn::Max(opened, hn::Sub(hn::ShiftLeftLanes<1>(d, opened), extend));
      opened = hn::Max(opened, hn::Sub(hn::ShiftLeftLanes<2>(d, opened), of_two));
      if (step > 4) {
        const auto block = hn::IfThenElseZero(is_in_block, hn::TableLookupLanes(opened, to_block));
        opened = hn::Max(opened, hn::Sub(block, of_block));
      }
      if (step > 8) {
        const auto second = hn::IfThenElseZero(is_in_second, hn::TableLookupLanes(opened, to_second));
        opened = hn::Max(opened, hn::Sub(second, of_second));
      }
#endif
      const auto inside = hn::IfThenElseZero(is_not_first, hn::TableLookupLanes(opened, to_left));
      h = hn::Max(h, hn::Max(inside, hn::Sub(right, of_lanes)));
      right = hn::Max(hn::TableLookupLanes(opened, to_last), hn::Sub(right, of_step));
      hn::StoreU(h, d, next + j + 1);
      hn::StoreU(hn::Max(hn::Sub(down, extend), hn::Sub(h, first)), d, task.down + j);
      best_of_row = hn::Max(best_of_row, h);
    }
    task.last[i] = next[task.width];
    task.right_out[i] = hn::GetLane(right);
    if (!hn::AllFalse(d, hn::Gt(best_of_row, best))) {
      best = hn::MaxOfLanes(d, best_of_row);
      found.score = hn::GetLane(best);
      found.row = i;
      found.column = static_cast<std::size_t>(std::find(next + 1, next + task.width, found.score) - (next + 1));
    }
    std::swap(row, next);
  }
  if (row != task.row) std::copy_n(row, task.width + 1, task.row);
  return found;
}

}  // namespace
}  // namespace swsearch::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace swsearch {

HWY_EXPORT(sweep_rows);

sweep_best sweep(const sweep_task& task) { return HWY_DYNAMIC_DISPATCH(sweep_rows)(task); }

}  // namespace swsearch
#endif  // HWY_ONCE
