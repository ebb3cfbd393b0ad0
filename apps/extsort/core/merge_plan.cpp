// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "merge_plan.hpp"

#include "cut_runs.hpp"
#include "memory_shares.hpp"
#include "run_cursor.hpp"
#include "run_output.hpp"
#include "support/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace extsort {
namespace {

// @param longest bytes of the longest record of the runs, as stored @return none: two do not fit
std::optional<merge_plan> plan_for(const merge_limits& within, std::size_t workers, std::uint64_t longest) {
  const run_format& as = within.as;
  const std::size_t decoder = as.compression ? frame_decoder::memory_for() : 0, frame = as.frame();
  const std::size_t one = cursor_memory(std::max(least_block, frame), longest, frame);
  const std::size_t memory = rounded_down(within.memory.left() / workers);
  const std::size_t buffer = run_output::memory_for(buffer_for(memory), as.compression);
  if (memory < decoder + buffer || cutter_memory(longest, frame) > memory - decoder) return {};
  std::size_t most = (memory - decoder - buffer) / one;
  if (within.method == merge_method::binary) most = std::min<std::size_t>(most, 2);
  if (within.most_at_once != 0) most = std::min(most, within.most_at_once);
  if (most < 2) return {};
  return merge_plan{workers, most, memory - decoder, buffer};
}

// Plans with as many workers as possible.
std::optional<merge_plan> plan_for(const merge_limits& within, std::uint64_t longest) {
  std::optional<merge_plan> plan;
  for (std::size_t workers = within.workers; workers != 0 && !plan; --workers)
    plan = plan_for(within, workers, longest);
  return plan;
}

}  // namespace

merge_plan plan_of_merges(const merge_limits& within, std::span<const run> runs, const std::string& input) {
  const std::uint64_t longest = std::ranges::max_element(runs, {}, &run::longest)->longest;
  if (const auto plan = plan_for(within, longest)) return *plan;
  throw std::runtime_error(fmt::format(
      "{}: a record has {} bytes, and two of them do not fit into memory to be merged; more memory is needed",
      weir::support::quoted_name(input), longest));
}

std::uint64_t longest_to_merge(const merge_limits& within) {
  const std::size_t in_front = within.as.in_front();
  std::uint64_t fits = 0, too_long = within.memory.left() + 1;
  while (too_long - fits > 1) {
    const std::uint64_t middle = fits + (too_long - fits) / 2;
    (plan_for(within, 1, middle + in_front) ? fits : too_long) = middle;
  }
  return fits;
}

std::size_t runs_at_once(const merge_limits& within) {
  const auto plan = plan_for(within, page);
  return plan ? plan->most : 0;
}

std::size_t block_for(const run_format& as, const merge_plan& plan, std::span<const run_part> parts) {
  constexpr std::size_t most_block = std::size_t{2} << 20;
  const std::size_t frame = as.frame();
  std::uint64_t fixed = plan.buffer;
  for (const run_part& each : parts) fixed += cursor_memory(0, each.of->longest, frame);
  const std::size_t left = plan.memory > fixed ? plan.memory - fixed : 0;
  if (frame == 0) return std::clamp(rounded_down(left / (2 * parts.size())), least_block, most_block);
  const std::size_t of_each = left / parts.size();
  const std::size_t frames = of_each < page ? 0 : (of_each - page) / (frame + frame_bound(frame));
  return frame * std::clamp<std::size_t>(frames, 1, std::max<std::size_t>(1, most_block / frame));
}

}  // namespace extsort
