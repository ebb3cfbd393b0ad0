// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "make_runs.hpp"

#include "check_file.hpp"
#include "exchange.hpp"
#include "memory_shares.hpp"
#include "run_maker.hpp"
#include "run_output.hpp"
#include "snowplow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>

namespace extsort {
namespace {

// A run of one chunk.
struct chunk_run {
  std::uint64_t number = 0;  // of the chunk
  run made;
  std::uint64_t sum = 0;
};

}  // namespace

made_runs make_runs(sort_resources& with, const run_making& what) {
  const run_format& as = what.as;
  const std::size_t chunks = with.by.chunks(what.workers, with.waits);
  const auto buffers =
      with.memory.take(what.workers, run_buffer_for(with.memory.left() / what.workers, as.compression));
  const auto slices = with.memory.take(chunks, rounded_down(with.memory.left() / chunks));

  std::deque<run_output> outputs;
  std::vector<std::unique_ptr<run_maker>> makers;
  for (std::size_t i = 0; i != what.workers; ++i) {
    outputs.emplace_back(*with.disks[i], with.space, i, as.compression, buffers[i]);
    makers.push_back(make_run_maker(as.records.format, as.sample_distance, as.records.are_unique));
  }
  made_runs made;
  with.by.stream(chunk_stream<chunk_run>{.workers = what.workers,
                                         .waits = with.waits,
                                         .memory = slices,
                                         .read = what.read,
                                         .work =
                                             [&](std::size_t worker, const chunk& some) {
                                               const std::uint64_t sum =
                                                   what.is_summed ? sum_of(some, as.records.format) : 0;
                                               run of_chunk = makers[worker]->make(some, outputs[worker].begin());
                                               outputs[worker].end(of_chunk);
                                               return chunk_run{some.number, std::move(of_chunk), sum};
                                             },
                                         .collect =
                                             [&](chunk_run one) {
                                               with.progress.sorted_bytes += one.made.size;
                                               made.sum += one.sum;
                                               if (made.all.size() <= one.number) made.all.resize(one.number + 1);
                                               made.all[one.number] = std::move(one.made);
                                             }});
  return made;
}

made_runs make_runs_by_snowplow(sort_resources& with, const run_making& what) {
  constexpr std::size_t least_slice = std::size_t{16} << 10, most_slice = std::size_t{1} << 20;
  constexpr std::size_t chunks_in_memory = 24;  // for each worker; more mean more partly used pages of mini runs
  const run_format& as = what.as;
  const std::size_t share = with.memory.left() / what.workers;
  const auto buffers = with.memory.take(what.workers, run_buffer_for(share, as.compression));
  const std::size_t slice = rounded_down(std::clamp(share / chunks_in_memory, least_slice, most_slice));
  const auto slices = with.memory.take(with.by.chunks(what.workers, with.waits), slice);
  const std::size_t pool = rounded_down(with.memory.left() / what.workers);
  if (pool < snowplow::memory_for(slice))
    throw std::runtime_error(
        fmt::format("{} threads need more memory for --runs snowplow; raise -m or lower -j", what.workers));

  snowplow_setup setup{.sample_distance = as.sample_distance,
                       .is_unique = as.records.are_unique,
                       .is_numbered = as.records.are_numbered,
                       .stop = with.stop};
  std::deque<run_output> outputs;
  std::vector<std::unique_ptr<snowplow>> plows;
  for (std::size_t i = 0; i != what.workers; ++i) {
    outputs.emplace_back(*with.disks[i], with.space, i, as.compression, buffers[i]);
    setup.first_run = std::uint64_t{i} << 32;
    plows.push_back(make_snowplow(as.records.format, with.memory.take(pool), outputs[i], setup));
  }
  made_runs made;
  with.by.stream(
      chunk_stream<made_runs>{.workers = what.workers,
                              .waits = with.waits,
                              .memory = slices,
                              .read = what.read,
                              .work =
                                  [&](std::size_t worker, const chunk& some) {
                                    const std::uint64_t sum = what.is_summed ? sum_of(some, as.records.format) : 0;
                                    std::vector<run> complete = plows[worker]->add(some);
                                    with.progress.sorted_bytes += some.known.bytes;
                                    return made_runs{std::move(complete), sum};
                                  },
                              .finish = [&](std::size_t worker) { return made_runs{plows[worker]->finish()}; },
                              .collect =
                                  [&](made_runs some) {
                                    made.sum += some.sum;
                                    std::ranges::move(some.all, std::back_inserter(made.all));
                                  }});
  return made;
}

made_runs make_runs_together(sort_resources& with, const run_format& as, exchange& by, std::uint64_t longest,
                             bool is_summed) {
  exchange_memory memory{.sample_distance = as.sample_distance, .longest = longest};
  const std::size_t buffer = run_buffer_for(with.memory.size() / by.writers(), as.compression);
  for (std::size_t i = 0; i != by.writers(); ++i)
    memory.writing.emplace_back(*with.disks.front(), with.space, i, as.compression, with.memory.take(buffer));
  const std::size_t chunks = with.by.chunks(with.by.workers(), true);
  memory.chunks = with.memory.take(chunks, rounded_down(with.memory.left() / chunks));
  std::atomic<std::uint64_t> sum = 0;
  made_runs made;
  made.all = by.run_all(
      memory, [&] { sum = 0; },
      [&](const chunk& sorted) {
        if (is_summed) sum += sum_of(sorted, as.records.format);
        with.progress.sorted_bytes += sorted.known.bytes;
      });
  made.sum = sum;
  return made;
}

}  // namespace extsort
