// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "sort_file.hpp"

#include "chunk_reader.hpp"
#include "exchange.hpp"
#include "make_runs.hpp"
#include "merge_plan.hpp"
#include "merge_runs.hpp"
#include "parted_sort.hpp"
#include "sort_means.hpp"
#include "support/output.hpp"
#include "verify_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>
#include <vector>

namespace extsort {
namespace {

using clock = std::chrono::steady_clock;

std::vector<run> make_all_runs(sort_means& with) {
  if (with.together) return make_runs_together(with);
  with.share_out_anew();
  const std::uint64_t passes = with.setup.runs_from == nullptr ? room_for_passes(with) : 0;
  with.expect_room(with.summary.bytes + passes, with.summary.bytes);
  with.output->make_room(with.summary.bytes);
  if (with.setup.runs_from != nullptr) {
    return with.setup.runs_from->make(with.reading, with.input.contents(), with.summary.bytes, *with.memory,
                                      with.summary);
  }
  return with.method == run_method::snowplow ? make_runs_by_snowplow(with) : make_runs(with);
}

// Gives the output its name, once all of it is on the disk, in all groups, and verified.
void publish(sort_means& with) {
  constexpr std::size_t copy_buffer = std::size_t{1} << 20;
  sort_output& output = *with.output;
  output.secure(with.summary.bytes);
  if (with.setup.is_verified) verify_output(with);
  if (output.is_stream()) {
    with.memory->reset();
    return output.copy(with.summary.bytes, with.reading, with.memory->take(std::min(copy_buffer, with.memory->left())),
                       with.setup.stop);
  }
  output.publish();
  with.summary.lost = output.lost();
  if (!with.together) return;
  with.summary.bytes_sent = with.together->sent();
  with.summary.exchanges = with.together->exchanges();
}

void sort_own(sort_means& with) {
  const sort_setup& setup = with.setup;
  sort_output output(setup, with.others.get());
  with.output = &output;
  const auto begin = clock::now();
  with.spool_inputs();
  if (with.others && !setup.groups.own_input && with.input.is_copy() && with.input.size() != 0)
    throw std::runtime_error(fmt::format("{} can be read only once, and groups share it",
                                         weir::support::quoted_name(with.input.contents().name())));
  output.begin_with(with.take_header());
  with.progress.input_bytes = with.summary.bytes;
  with.choose_compression();
  std::vector<run> runs = make_all_runs(with);
  with.summary.runs = runs.size();
  with.count(runs, with.in_front());
  with.release_inputs();
  const auto middle = clock::now();
  with.summary.making_runs = middle - begin;
  if (runs.empty()) {
    output.place(0);
  } else {
    run_merging(with, std::move(runs)).into_output();
  }
  with.by.each(with.space.files(), with.by.workers(),
               [&](std::size_t, std::size_t number) { with.space.clear(number); });
  publish(with);
  with.summary.merging = clock::now() - middle;
}

// Sorts records of a `chunk_source`, and gives them back.
void sort_received(sort_means& with) {
  chunk_source& from = *with.setup.chunks_from;
  with.summary.bytes = from.input_size();
  const auto begin = clock::now();
  std::vector<run> runs = make_runs(with);
  while (from.begins_again()) {
    for (const run& each : runs) temporary_space::give_back(each);
    runs = make_runs(with);
  }
  with.summary.runs = runs.size();
  const auto middle = clock::now();
  with.summary.making_runs = middle - begin;
  if (runs.size() > 1) runs = run_merging(with, std::move(runs)).into_runs();
  with.count(runs, 0);
  with.memory->reset();
  from.give(runs, with.reading, with.memory->take(with.memory->left()));
  with.summary.merging = clock::now() - middle;
}

sort_summary sort_by(run_method method, const sort_setup& setup, engine& by, sort_progress& progress) {
  sort_means with(setup, method, by, progress);
  with.summary.workers = by.workers();
  if (setup.chunks_from != nullptr) {
    sort_received(with);
  } else {
    sort_own(with);
  }
  with.count_disks();
  return with.summary;
}

}  // namespace

sort_summary sort_file(const sort_setup& setup, engine& by, sort_progress& progress) {
  try {
    return sort_by(setup.runs, setup, by, progress);
  } catch (const record_too_long&) {
    if (setup.runs == run_method::chunks) throw;
    // The bytes that were read from a stream are lost.
    const auto is_stream = [](const std::string& name) { return input_file(name, false).is_stream(); };
    if (is_stream(setup.input) || std::ranges::any_of(setup.inputs_after, is_stream)) throw;
  }
  // If a record does not fit beside many others, replacement selection has no advantage either.
  progress.sorted_bytes = 0;
  return sort_by(run_method::chunks, setup, by, progress);
}

}  // namespace extsort
