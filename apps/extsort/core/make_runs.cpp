// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "make_runs.hpp"

#include "check_file.hpp"
#include "chunk_reader.hpp"
#include "exchange.hpp"
#include "merge_plan.hpp"
#include "parted_sort.hpp"
#include "peers.hpp"
#include "run_maker.hpp"
#include "run_output.hpp"
#include "snowplow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

namespace extsort {
namespace {

void add_to_sum(sort_means& with, const chunk& of) {
  if (with.setup.is_verified) with.sum += sum_of(of, with.setup.format);
}

// Reads the inputs, one after the other.
class inputs_reader {
 public:
  inputs_reader(sort_means& with, std::uint64_t longest) {
    const auto add = [&](const input_file& each) {
      readers_.emplace_back(with.reading, each.contents(), *with.rules, each.begin(), each.size(), longest);
    };
    add(with.input);
    for (const input_file& each : with.inputs_after) add(each);
  }

  std::optional<chunk> next(std::span<std::byte> memory) {
    while (!readers_.empty() && readers_.front().is_at_end()) readers_.pop_front();
    if (readers_.empty()) return std::nullopt;
    chunk made = readers_.front().next(memory);
    made.number = number_++;
    return made;
  }

 private:
  std::deque<chunk_reader> readers_;
  std::uint64_t number_ = 0;
};

// A run of the chunk with that number.
struct numbered_run {
  std::uint64_t number = 0;
  run of_chunk;
};

// Returns the bytes of the writing buffer for a worker with that memory, including compression.
std::size_t buffer_of_run(const sort_means& with, std::size_t memory) {
  const std::size_t beside = run_output::memory_for(0, with.compression);
  return beside + buffer_for(memory - std::min(memory, beside));
}

std::optional<chunk> receive(sort_means& with, std::uint64_t number, std::span<std::byte> memory) {
  const std::size_t bytes = with.setup.chunks_from->next(memory);
  if (bytes == 0) return std::nullopt;
  return received_chunk(*with.rules, number, memory, bytes);
}

}  // namespace

std::vector<run> make_runs(sort_means& with) {
  with.share_out_anew();
  const std::size_t workers = with.run_workers(), chunks = with.by.chunks(workers, with.waits());
  with.summary.workers = workers;
  const std::uint64_t longest = longest_to_merge(with);
  const auto buffers = with.memory->take(workers, buffer_of_run(with, with.memory->left() / workers));
  const auto slices = with.memory->take(chunks, rounded_down(with.memory->left() / chunks));

  std::deque<run_output> outputs;
  std::vector<std::unique_ptr<run_maker>> makers;
  for (std::size_t i = 0; i != workers; ++i) {
    outputs.emplace_back(*with.disks[i], with.space, i, with.compression, buffers[i]);
    makers.push_back(make_run_maker(with.setup.format, with.sample_distance(), with.setup.is_unique));
  }
  std::optional<inputs_reader> reader;
  if (with.setup.chunks_from == nullptr) reader.emplace(with, longest);
  std::uint64_t received = 0;
  std::vector<run> runs;
  with.by.stream(chunk_stream<numbered_run>{
      .workers = workers,
      .waits = with.waits(),
      .memory = slices,
      .read = [&](std::span<std::byte> free) { return reader ? reader->next(free) : receive(with, received++, free); },
      .work =
          [&](std::size_t worker, const chunk& some) {
            add_to_sum(with, some);
            run made = makers[worker]->make(some, outputs[worker].begin());
            outputs[worker].end(made);
            with.progress.sorted_bytes += made.size;
            return numbered_run{some.number, std::move(made)};
          },
      .collect =
          [&](numbered_run made) {
            if (runs.size() <= made.number) runs.resize(made.number + 1);
            runs[made.number] = std::move(made.of_chunk);
          }});
  return runs;
}

std::vector<run> make_runs_by_snowplow(sort_means& with) {
  constexpr std::size_t least_slice = std::size_t{16} << 10, most_slice = std::size_t{1} << 20;
  constexpr std::size_t chunks_in_memory = 24;  // for each worker; more mean more partly used pages of mini runs
  with.share_out_anew();
  const std::size_t workers = with.run_workers(), chunks = with.by.chunks(workers, with.waits());
  with.summary.workers = workers;
  const std::uint64_t longest = longest_to_merge(with);
  const std::size_t share = with.memory->left() / workers;
  const auto buffers = with.memory->take(workers, buffer_of_run(with, share));
  const std::size_t slice = rounded_down(std::clamp(share / chunks_in_memory, least_slice, most_slice));
  const auto slices = with.memory->take(chunks, slice);
  const std::size_t pool = rounded_down(with.memory->left() / workers);
  if (pool < snowplow::memory_for(slice))
    throw std::runtime_error(
        fmt::format("{} threads need more memory for --runs snowplow; raise -m or lower -j", workers));

  snowplow_setup setup{.sample_distance = with.sample_distance(),
                       .is_unique = with.setup.is_unique,
                       .is_numbered = with.stored.are_numbered,
                       .stop = with.setup.stop};
  std::deque<run_output> outputs;
  std::vector<std::unique_ptr<snowplow>> plows;
  for (std::size_t i = 0; i != workers; ++i) {
    outputs.emplace_back(*with.disks[i], with.space, i, with.compression, buffers[i]);
    setup.first_run = std::uint64_t{i} << 32;
    plows.push_back(make_snowplow(with.setup.format, with.memory->take(pool), outputs[i], setup));
  }
  inputs_reader reader(with, longest);
  std::vector<run> runs;
  with.by.stream(chunk_stream<std::vector<run>>{
      .workers = workers,
      .waits = with.waits(),
      .memory = slices,
      .read = [&](std::span<std::byte> free) { return reader.next(free); },
      .work =
          [&](std::size_t worker, const chunk& some) {
            add_to_sum(with, some);
            std::vector<run> made = plows[worker]->add(some);
            with.progress.sorted_bytes += some.known.bytes;
            return made;
          },
      .finish = [&](std::size_t worker) { return plows[worker]->finish(); },
      .collect = [&](std::vector<run> made) { std::ranges::move(made, std::back_inserter(runs)); }});
  return runs;
}

std::vector<run> make_runs_together(sort_means& with) {
  exchange& by = *with.together;
  const std::size_t chunks = with.by.chunks(with.by.workers(), true);
  with.memory->reset();
  const std::uint64_t all =
      by.begin(with.reading, with.input.contents(), with.summary.bytes, with.memory->take(with.memory->left() / 6));
  with.summary.bytes = all / with.others->count();
  const bool is_shared = with.output->is_shared(), for_all = is_shared && with.others->is_first();
  with.share_out_anew();
  with.expect_room(with.summary.bytes + room_for_passes(with), for_all ? all : is_shared ? 0 : with.summary.bytes);
  if (for_all) with.output->make_room(all);
  with.progress.input_bytes = with.summary.bytes;
  exchange_memory memory{
      .item = with.item_of_exchange(), .sample_distance = with.sample_distance(), .longest = longest_to_merge(with)};
  const std::size_t buffer = buffer_of_run(with, with.memory->size() / by.writers());
  for (std::size_t i = 0; i != by.writers(); ++i)
    memory.writing.emplace_back(*with.disks.front(), with.space, i, with.compression, with.memory->take(buffer));
  memory.chunks = with.memory->take(chunks, rounded_down(with.memory->left() / chunks));
  return by.run_all(
      memory, [&] { with.sum = 0; },
      [&](const chunk& sorted) {
        add_to_sum(with, sorted);
        with.progress.sorted_bytes += sorted.known.bytes;
      });
}

}  // namespace extsort
