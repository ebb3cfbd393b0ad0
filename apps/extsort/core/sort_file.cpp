// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "sort_file.hpp"

#include "chunk_reader.hpp"
#include "exchange.hpp"
#include "make_runs.hpp"
#include "memory_shares.hpp"
#include "merge_plan.hpp"
#include "merge_runs.hpp"
#include "parted_sort.hpp"
#include "peers.hpp"
#include "run_format.hpp"
#include "sort_inputs.hpp"
#include "sort_output.hpp"
#include "sort_resources.hpp"
#include "support/output.hpp"
#include "verify_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace extsort {
namespace {

using clock = std::chrono::steady_clock;

// Returns the number of workers that make runs: those of the engine, or as many as the memory is
// enough for. @param bytes of the input @throws too_little_memory if it is not enough for one
std::size_t run_workers(const sort_resources& with, const run_format& as, std::uint64_t bytes) {
  const std::size_t made = workers_with_memory(with.by.workers(), with.memory.left(), as.compression);
  if (made == 0) refuse_memory(with.memory, as.compression, bytes);
  return made;
}

// A sort of files, alone or together with other groups.
class file_sort {
 public:
  file_sort(run_method method, const sort_setup& setup, engine& by, sort_progress& progress);

  sort_summary run();

 private:
  std::size_t lanes(const engine& by) const { return by.workers() + (together_ ? together_->writers() : 0); }
  merge_limits limits() const;
  void begin_exchange();
  std::uint64_t room_for_passes() const;
  void make_room();
  made_runs make();
  void publish(const output_part& written, std::uint64_t sum);

  const sort_setup& setup_;
  run_method method_;
  sort_inputs inputs_;
  std::unique_ptr<peers> others_;       // null: the process sorts alone
  std::unique_ptr<exchange> together_;  // likewise
  sort_resources with_;
  run_format as_;
  sort_output output_;
  std::uint64_t whole_ = 0;  // bytes of the output, which groups may share
  std::uint64_t own_ = 0;    // about as many as this process sorts
  sort_summary done_;
};

// Chunks of several snowplows are interleaved in the input, so records keep their numbers.
file_sort::file_sort(run_method method, const sort_setup& setup, engine& by, sort_progress& progress)
    : setup_(setup),
      method_(method),
      inputs_(setup),
      others_(setup.groups.member == nullptr ? nullptr : std::make_unique<peers>(setup.groups)),
      together_(others_ ? std::make_unique<exchange>(*others_, setup, inputs_.rules()) : nullptr),
      with_(setup, by, progress, setup.memory - (together_ ? together_->in_transit() : 0), lanes(by)),
      as_({.format = setup.format,
           .are_numbered = method == run_method::snowplow && by.workers() > 1,
           .are_unique = setup.is_unique}),
      output_(setup, others_.get()) {}

merge_limits file_sort::limits() const {
  return {with_.memory, as_, with_.by.workers(), setup_.merging, setup_.most_at_once};
}

sort_summary file_sort::run() {
  const auto begin = clock::now();
  done_.workers = with_.by.workers();
  whole_ = own_ = inputs_.spool(with_);
  with_.waits = !with_.space.is_in_memory() || !inputs_.are_in_memory();
  if (others_ && !setup_.groups.own_input && inputs_.only().is_copy() && own_ != 0)
    throw std::runtime_error(fmt::format("{} can be read only once, and groups share it",
                                         weir::support::quoted_name(inputs_.only().contents().name())));
  output_.begin_with(inputs_.take_header(setup_.header_lines));
  as_.compression = compression_of(setup_.compression, own_, setup_.memory);
  if (together_) begin_exchange();
  with_.progress.input_bytes = own_;
  as_.sample_distance = sample_distance_of(own_, setup_.memory);
  share_out_anew(with_.memory, as_.compression, own_);
  make_room();
  made_runs made = make();
  done_.runs = made.all.size();
  inputs_.release();
  const auto middle = clock::now();
  done_.making_runs = middle - begin;
  output_part written;
  if (made.all.empty()) {
    output_.place(0);
  } else {
    const merge_limits within = limits();
    run_merging merging(with_, within, std::move(made.all), inputs_.all().front().contents().name());
    written = merging.into(output_);
    done_.passes = merging.passes();
  }
  with_.by.each(with_.space.files(), with_.by.workers(),
                [&](std::size_t, std::size_t number) { with_.space.clear(number); });
  publish(written, made.sum);
  done_.records = written.of.records;
  done_.bytes = written.of.bytes;
  done_.merging = clock::now() - middle;
  with_.count_disks(done_);
  return done_;
}

// Divides the input between groups.
void file_sort::begin_exchange() {
  with_.memory.reset();
  whole_ = together_->begin(with_.reading, inputs_.only().contents(), own_, with_.memory.take(with_.memory.left() / 6));
  own_ = whole_ / others_->count();
  if (!output_.is_shared()) whole_ = own_;
}

// Estimates the disk space that merging needs in addition to that of the runs.
std::uint64_t file_sort::room_for_passes() const {
  constexpr std::size_t usual_record = 64, of_word = sizeof(std::uint64_t);
  const std::size_t workers = run_workers(with_, as_, own_);
  const std::size_t share = with_.memory.left() / with_.by.chunks(workers, with_.waits);
  const std::size_t chunk = std::max<std::size_t>(1, share / (usual_record + of_word) * usual_record);
  const std::uint64_t runs = own_ / chunk / (method_ == run_method::snowplow ? 2 : 1) + 1;
  const bool is_known_later = setup_.is_unique && (with_.by.workers() > 1 || output_.is_shared());
  if (runs == 1 || (runs <= runs_at_once(limits()) && !is_known_later)) return 0;
  return with_.room_for_pass(own_);
}

// Makes room for the output, and ensures that there is room for the runs.
void file_sort::make_room() {
  const std::uint64_t passes = setup_.runs_from == nullptr ? room_for_passes() : 0;
  const bool is_first = !output_.is_shared() || others_->is_first();
  with_.expect_room(as_, own_ + passes, output_, is_first ? whole_ : 0);
  // Other groups make room once they know how many bytes they have.
  if (!together_ || (output_.is_shared() && is_first)) output_.make_room(whole_);
}

made_runs file_sort::make() {
  if (setup_.runs_from != nullptr)
    return {setup_.runs_from->make(with_.reading, inputs_.only().contents(), own_, with_.memory, done_)};
  const std::uint64_t longest = longest_to_merge(limits());
  if (longest == 0) refuse_memory(with_.memory, as_.compression, own_);
  if (together_) return make_runs_together(with_, as_, *together_, longest, setup_.is_verified);
  done_.workers = run_workers(with_, as_, own_);
  inputs_reader reader(inputs_, with_.reading, longest);
  const run_making what{.as = as_,
                        .read = [&](std::span<std::byte> free) { return reader.next(free); },
                        .workers = done_.workers,
                        .is_summed = setup_.is_verified};
  return method_ == run_method::snowplow ? make_runs_by_snowplow(with_, what) : make_runs(with_, what);
}

// Gives the output its name, once all of it is on the disk, in all groups, and verified.
void file_sort::publish(const output_part& written, std::uint64_t sum) {
  constexpr std::size_t copy_buffer = std::size_t{1} << 20;
  output_.secure(written.of.bytes);
  if (setup_.is_verified) verify_output(setup_, with_, output_, written, sum, others_.get());
  if (output_.is_stream()) {
    with_.memory.reset();
    return output_.copy(written.of.bytes, with_.reading, with_.memory.take(std::min(copy_buffer, with_.memory.left())),
                        with_.stop);
  }
  output_.publish();
  done_.lost = output_.lost();
  if (!together_) return;
  done_.bytes_sent = together_->sent();
  done_.exchanges = together_->exchanges();
}

// Sorts records of a `chunk_source`, and gives them back.
sort_summary sort_received(const sort_setup& setup, engine& by, sort_progress& progress) {
  chunk_source& from = *setup.chunks_from;
  const auto rules = rules_of_input(setup.format);
  sort_resources with(setup, by, progress, setup.memory, by.workers());
  run_format as({.format = setup.format, .are_numbered = false, .are_unique = setup.is_unique});
  const merge_limits limits{with.memory, as, by.workers(), setup.merging, setup.most_at_once};
  const std::uint64_t bytes = from.input_size();
  const auto begin = clock::now();
  as.sample_distance = sample_distance_of(bytes, setup.memory);
  const std::size_t workers = run_workers(with, as, bytes);
  if (longest_to_merge(limits) == 0) refuse_memory(with.memory, as.compression, bytes);
  const auto make = [&] {
    with.memory.reset();
    const auto receive = [&, number = std::uint64_t{0}](std::span<std::byte> free) mutable -> std::optional<chunk> {
      const std::size_t size = from.next(free);
      if (size == 0) return std::nullopt;
      return received_chunk(*rules, number++, free, size);
    };
    return make_runs(with, {.as = as, .read = receive, .workers = workers}).all;
  };
  std::vector<run> runs = make();
  while (from.begins_again()) {
    for (const run& each : runs) temporary_space::give_back(each);
    runs = make();
  }
  sort_summary done{.workers = workers, .runs = runs.size(), .lost = {}};
  const auto middle = clock::now();
  done.making_runs = middle - begin;
  if (runs.size() > 1) {
    run_merging merging(with, limits, std::move(runs), {});
    runs = merging.into_runs();
    done.passes = merging.passes();
  }
  const record_counts all = counts_of(runs, 0);
  done.records = all.records;
  done.bytes = all.bytes;
  with.memory.reset();
  from.give(runs, with.reading, with.memory.take(with.memory.left()));
  done.merging = clock::now() - middle;
  with.count_disks(done);
  return done;
}

}  // namespace

sort_summary sort_file(const sort_setup& setup, engine& by, sort_progress& progress) {
  if (setup.chunks_from != nullptr) return sort_received(setup, by, progress);
  try {
    return file_sort(setup.runs, setup, by, progress).run();
  } catch (const record_too_long&) {
    if (setup.runs == run_method::chunks) throw;
    // The bytes that were read from a stream are lost.
    const auto is_stream = [](const std::string& name) { return input_file(name, false).is_stream(); };
    if (is_stream(setup.input) || std::ranges::any_of(setup.inputs_after, is_stream)) throw;
  }
  // If a record does not fit beside many others, replacement selection has no advantage either.
  progress.sorted_bytes = 0;
  return file_sort(run_method::chunks, setup, by, progress).run();
}

}  // namespace extsort
