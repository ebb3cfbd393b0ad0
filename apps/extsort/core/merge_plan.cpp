// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "merge_plan.hpp"

#include "cut_runs.hpp"
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
std::optional<merge_plan> plan_for(const sort_means& with, std::size_t workers, std::uint64_t longest) {
  const std::size_t decoder = with.compression ? frame_decoder::memory_for() : 0, frame = with.frame();
  const std::size_t one = cursor_memory(std::max(least_block, frame), longest, frame);
  const std::size_t memory = rounded_down(with.memory->left() / workers);
  const std::size_t buffer = run_output::memory_for(buffer_for(memory), with.compression);
  if (memory < decoder + buffer || cutter_memory(longest, frame) > memory - decoder) return {};
  std::size_t most = (memory - decoder - buffer) / one;
  if (with.setup.merging == merge_method::binary) most = std::min<std::size_t>(most, 2);
  if (with.setup.most_at_once != 0) most = std::min(most, with.setup.most_at_once);
  if (most < 2) return {};
  return merge_plan{workers, most, memory - decoder, buffer};
}

}  // namespace

merge_plan plan_of_merges(const sort_means& with, std::span<const run> runs) {
  const std::uint64_t longest = std::ranges::max_element(runs, {}, &run::longest)->longest;
  for (std::size_t workers = with.by.workers(); workers != 0; --workers) {
    if (const auto plan = plan_for(with, workers, longest)) return *plan;
  }
  throw std::runtime_error(fmt::format(
      "{}: a record has {} bytes, and two of them do not fit into memory to be merged; more memory is needed",
      weir::support::quoted_name(with.input.contents().name()), longest));
}

std::uint64_t longest_to_merge(const sort_means& with) {
  if (!plan_for(with, 1, with.in_front())) with.refuse_memory();
  std::uint64_t fits = 0, too_long = with.memory->left() + 1;
  while (too_long - fits > 1) {
    const std::uint64_t middle = fits + (too_long - fits) / 2;
    (plan_for(with, 1, middle + with.in_front()) ? fits : too_long) = middle;
  }
  return fits;
}

std::uint64_t room_for_pass(const sort_means& with, std::uint64_t bytes) {
  return with.space.is_used_again() ? std::min<std::uint64_t>(bytes, with.setup.memory) : bytes;
}

std::uint64_t room_for_passes(const sort_means& with) {
  constexpr std::size_t usual_record = 64, of_word = sizeof(std::uint64_t);
  const std::size_t workers = with.run_workers(), share = with.memory->left() / with.by.chunks(workers, with.waits());
  const std::size_t chunk = std::max<std::size_t>(1, share / (usual_record + of_word) * usual_record);
  const std::uint64_t runs = with.summary.bytes / chunk / (with.method == run_method::snowplow ? 2 : 1) + 1;
  std::optional<merge_plan> plan;
  for (std::size_t merging = with.by.workers(); merging != 0 && !plan; --merging) plan = plan_for(with, merging, page);
  const bool is_known_later = with.setup.is_unique && (with.by.workers() > 1 || with.others);
  if (runs == 1 || (plan && runs <= plan->most && !is_known_later)) return 0;
  return room_for_pass(with, with.summary.bytes);
}

std::size_t block_for(const sort_means& with, const merge_plan& plan, std::span<const run_part> parts) {
  constexpr std::size_t most_block = std::size_t{2} << 20;
  const std::size_t frame = with.frame();
  std::uint64_t fixed = plan.buffer;
  for (const run_part& each : parts) fixed += cursor_memory(0, each.of->longest, frame);
  const std::size_t left = plan.memory > fixed ? plan.memory - fixed : 0;
  if (frame == 0) return std::clamp(rounded_down(left / (2 * parts.size())), least_block, most_block);
  const std::size_t of_each = left / parts.size();
  const std::size_t frames = of_each < page ? 0 : (of_each - page) / (frame + frame_bound(frame));
  return frame * std::clamp<std::size_t>(frames, 1, std::max<std::size_t>(1, most_block / frame));
}

}  // namespace extsort
