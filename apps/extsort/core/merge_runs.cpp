// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "merge_runs.hpp"

#include "cut_runs.hpp"
#include "memory_shares.hpp"
#include "run_output.hpp"
#include "sort_output.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace extsort {
namespace {

std::uint64_t size_of(std::span<const run_part> parts) {
  std::uint64_t size = 0;
  for (const run_part& each : parts) size += each.end - each.begin;
  return size;
}

run_part all_of(const run& of) { return {&of, 0, of.size, of.records}; }

}  // namespace

run_merging::run_merging(sort_resources& with, const merge_limits& within, std::vector<run> runs,
                         const std::string& input)
    : with_(with),
      within_(within),
      runs_(std::move(runs)),
      bytes_(counts_of(runs_, within.as.in_front()).bytes),
      mergers_(with.by.workers()),
      decoders_(with.by.workers()) {
  share_out_anew(with.memory, within.as.compression, bytes_);
  plan_ = plan_of_merges(within, runs_, input);
  for (std::size_t i = 0; i != plan_.workers; ++i) {
    if (within.as.compression) decoders_[i].emplace(with.memory.take(frame_decoder::memory_for()));
    slices_.push_back(with.memory.take(plan_.memory));
  }
}

std::vector<run> run_merging::into_runs() {
  std::vector<run> merged = merge_apart(ranges());
  for (const run& each : runs_) temporary_space::give_back(each);
  return merged;
}

output_part run_merging::into(sort_output& output) {
  output_ = &output;
  auto parts_of = ranges();
  // The number of records that are left out is known only after a merge. Until then the place of a
  // range in the output is unknown.
  std::vector<run> apart;
  if (within_.as.records.are_unique && (parts_of.size() > 1 || output.is_shared())) {
    expect_room(bytes_);
    apart = merge_apart(parts_of);
    for (std::size_t i = 0; i != parts_of.size(); ++i) parts_of[i] = {all_of(apart[i])};
  }
  std::uint64_t own = 0;
  for (const auto& parts : parts_of) own += output_size_of(parts);
  std::vector<std::uint64_t> begins{output.place(own)};
  for (const auto& parts : parts_of) begins.push_back(begins.back() + output_size_of(parts));
  std::vector<run> made(parts_of.size());
  with_.by.each(parts_of.size(), plan_.workers, [&](std::size_t worker, std::size_t range) {
    record_writer to(*with_.disks[worker], slices_[worker].first(plan_.buffer / (2 * page) * (2 * page)),
                     output.whole_pages(), &output.edges(), begins[range]);
    made[range] = merge(worker, parts_of[range], to, true, {});
    to.finish();
  });
  return {begins.front(), counts_of(made, 0)};
}

// Cuts all runs into ranges for the last pass, once they can all be merged at once.
std::vector<std::vector<run_part>> run_merging::ranges() {
  with_.progress.to_merge = bytes_;
  while (runs_.size() > plan_.most) merge_some();
  ++passes_;
  run_cutter cutter(with_.reading, *within_.as.rules, slices_.front(), decoder_of(0), within_.as.records.are_unique);
  return cutter.cut(runs_, plan_.workers);
}

// Makes one more pass, over as few runs as necessary, or over all pairs.
void run_merging::merge_some() {
  ++passes_;
  const bool in_pairs = within_.method == merge_method::binary;
  const std::size_t too_many = in_pairs ? runs_.size() / 2 : runs_.size() - plan_.most;
  std::vector<std::vector<run_part>> groups;
  std::size_t gone = 0, at = 0;
  while (gone < too_many && at + 1 < runs_.size()) {
    groups.emplace_back();
    for (std::size_t left = std::min({plan_.most, too_many - gone + 1, runs_.size() - at}); left != 0; --left, ++at)
      groups.back().push_back(all_of(runs_[at]));
    gone += groups.back().size() - 1;
  }
  std::uint64_t bytes = 0;
  for (const auto& each : groups) bytes += size_of(each);
  expect_room(bytes);
  std::vector<run> made = merge_apart(groups);
  for (std::size_t i = 0; i != at; ++i) temporary_space::give_back(runs_[i]);
  std::move(runs_.begin() + static_cast<std::ptrdiff_t>(at), runs_.end(), std::back_inserter(made));
  runs_ = std::move(made);
}

// Merges each group into a run.
std::vector<run> run_merging::merge_apart(std::span<const std::vector<run_part>> groups) {
  std::vector<run> made(groups.size());
  for (const auto& each : groups) with_.progress.to_merge += size_of(each);
  with_.by.each(groups.size(), plan_.workers, [&](std::size_t worker, std::size_t number) {
    run_output to(*with_.disks[worker], with_.space, worker, within_.as.compression,
                  slices_[worker].first(plan_.buffer));
    made[number] = merge(worker, groups[number], to.begin(), false, {within_.as.sample_distance, number});
    to.end(made[number]);
  });
  return made;
}

// @param plain without the bytes in front of records, as in the output
// @param samples of the new run
run run_merging::merge(std::size_t worker, std::span<const run_part> parts, record_writer& to, bool plain,
                       sample_places samples) {
  if (!mergers_[worker]) mergers_[worker] = make_merger(within_.as.records, *with_.disks[worker], decoder_of(worker));
  run made = mergers_[worker]->merge(parts, block_for(within_.as, plan_, parts), slices_[worker].subspan(plan_.buffer),
                                     to, plain, samples, with_.stop);
  with_.progress.merged_bytes += made.size;
  return made;
}

// Ensures that there is room for a pass over these bytes.
void run_merging::expect_room(std::uint64_t bytes) {
  if (output_ != nullptr) with_.expect_room(within_.as, with_.room_for_pass(bytes), *output_, output_->without_room());
}

std::uint64_t run_merging::output_size_of(std::span<const run_part> parts) const {
  std::uint64_t records = 0;
  for (const run_part& each : parts) records += each.records;
  return size_of(parts) - within_.as.in_front() * records;
}

}  // namespace extsort
