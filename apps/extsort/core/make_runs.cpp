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
#include <mutex>
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

  bool is_at_end() {
    while (!readers_.empty() && readers_.front().is_at_end()) readers_.pop_front();
    return readers_.empty();
  }
  chunk next(std::span<std::byte> memory) {
    chunk made = readers_.front().next(memory);
    made.number = number_++;
    return made;
  }

 private:
  std::deque<chunk_reader> readers_;
  std::uint64_t number_ = 0;
};

// Returns the bytes of the writing buffer for a worker with that memory, including compression.
std::size_t buffer_of_run(const sort_means& with, std::size_t memory) {
  const std::size_t beside = run_output::memory_for(0, with.compression);
  return beside + buffer_for(memory - std::min(memory, beside));
}

bool receive(sort_means& with, chunk& next, std::uint64_t number, std::span<std::byte> memory) {
  const std::size_t bytes = with.setup.chunks_from->next(memory);
  if (bytes != 0) next = received_chunk(*with.rules, number, memory, bytes);
  return bytes != 0;
}

}  // namespace

std::vector<run> make_runs(sort_means& with) {
  with.share_out_anew();
  const std::size_t workers = with.run_workers(), slots = with.by.slots(workers, with.waits());
  with.summary.workers = workers;
  const std::uint64_t longest = longest_to_merge(with);
  const auto buffers = with.memory->take(workers, buffer_of_run(with, with.memory->left() / workers));
  const auto slices = with.memory->take(slots, rounded_down(with.memory->left() / slots));

  std::vector<std::unique_ptr<run_maker>> makers;
  for (std::size_t i = 0; i != workers; ++i)
    makers.push_back(make_run_maker(with.setup.format, with.sample_distance(), with.setup.is_unique));
  std::vector<chunk> chunks(slots);
  std::optional<inputs_reader> reader;
  if (with.setup.chunks_from == nullptr) reader.emplace(with, longest);
  std::uint64_t received = 0;
  std::mutex adding;
  std::vector<run> runs;
  with.by.stream(
      workers, slots, with.waits(),
      [&](std::size_t slot) {
        if (with.setup.chunks_from != nullptr) return receive(with, chunks[slot], received++, slices[slot]);
        if (reader->is_at_end()) return false;
        chunks[slot] = reader->next(slices[slot]);
        return true;
      },
      [&](std::size_t worker, std::size_t slot) {
        const chunk& present = chunks[slot];
        add_to_sum(with, present);
        run_output to(*with.disks[worker], with.space, worker, with.compression, buffers[worker]);
        run made = makers[worker]->make(present, to.begin());
        to.end(made);
        with.progress.sorted_bytes += made.size;
        const std::lock_guard held(adding);
        if (runs.size() <= present.number) runs.resize(present.number + 1);
        runs[present.number] = std::move(made);
      });
  return runs;
}

std::vector<run> make_runs_by_snowplow(sort_means& with) {
  constexpr std::size_t least_slice = std::size_t{16} << 10, most_slice = std::size_t{1} << 20;
  constexpr std::size_t chunks_in_memory = 24;  // for each worker; more mean more partly used pages of mini runs
  with.share_out_anew();
  const std::size_t workers = with.run_workers(), slots = with.by.slots(workers, with.waits());
  with.summary.workers = workers;
  const std::uint64_t longest = longest_to_merge(with);
  const std::size_t share = with.memory->left() / workers;
  const auto buffers = with.memory->take(workers, buffer_of_run(with, share));
  const std::size_t slice = rounded_down(std::clamp(share / chunks_in_memory, least_slice, most_slice));
  const auto slices = with.memory->take(slots, slice);
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
  std::vector<chunk> chunks(slots);
  inputs_reader reader(with, longest);
  std::optional<record_too_long> problem;
  with.by.stream(
      workers, slots, with.waits(),
      [&](std::size_t slot) {
        if (reader.is_at_end()) return false;
        try {
          chunks[slot] = reader.next(slices[slot]);
        } catch (const record_too_long& what) {
          problem = what;
          return false;
        }
        return true;
      },
      [&](std::size_t worker, std::size_t slot) {
        add_to_sum(with, chunks[slot]);
        plows[worker]->add(chunks[slot]);
        with.progress.sorted_bytes += chunks[slot].known.bytes;
      });
  if (problem) throw *problem;
  std::vector<std::vector<run>> made(workers);
  with.by.each(workers, workers, [&](std::size_t, std::size_t task) { made[task] = plows[task]->finish(); });
  std::vector<run> runs;
  for (auto& each : made) std::ranges::move(each, std::back_inserter(runs));
  return runs;
}

std::vector<run> make_runs_together(sort_means& with) {
  exchange& by = *with.together;
  const std::size_t slots = with.by.slots(with.by.workers(), true);
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
  memory.chunks = with.memory->take(slots, rounded_down(with.memory->left() / slots));
  return by.run_all(
      memory, [&] { with.sum = 0; },
      [&](const chunk& sorted) {
        add_to_sum(with, sorted);
        with.progress.sorted_bytes += sorted.known.bytes;
      });
}

}  // namespace extsort
