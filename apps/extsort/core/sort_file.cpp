// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "sort_file.hpp"

#include "check_file.hpp"
#include "chunk_reader.hpp"
#include "cut_runs.hpp"
#include "exchange.hpp"
#include "merge.hpp"
#include "parted_sort.hpp"
#include "peers.hpp"
#include "run_maker.hpp"
#include "run_output.hpp"
#include "snowplow.hpp"
#include "sort_output.hpp"
#include "streams.hpp"
#include "support/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

namespace extsort {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t least_block = std::size_t{32} << 10;
constexpr std::size_t most_block = std::size_t{2} << 20;

constexpr std::size_t copy_buffer = std::size_t{1} << 20;

// What a writer may take of so much memory.
std::size_t buffer_for(std::size_t memory) {
  constexpr std::size_t least = 8 * page, most = std::size_t{2} << 20;
  return rounded_down(std::clamp(memory / 16, least, most)) / (2 * page) * (2 * page);
}

/// @tparam Stored the format of runs: that of the input, or `numbered_records` of it
template <class Format, class Stored>
class sort_job {
 public:
  sort_job(const sort_setup& setup, const Format& format, engine& by, sort_progress& progress)
      : setup_(setup),
        format_(format),
        stored_(format),
        by_(by),
        progress_(progress),
        input_(setup.chunks_from == nullptr ? input_file(setup.input, setup.direct) : input_file()),
        peers_(setup.groups.member == nullptr ? nullptr : std::make_unique<peers>(setup.groups)),
        exchange_(peers_ ? std::make_unique<exchange<Format>>(*peers_, setup.groups, format, setup.is_unique)
                         : nullptr),
        space_(setup.temporary, exchange_ ? exchange_->writers() + by.workers() : by.workers(), setup.direct),
        reading_(setup.by_uring) {
    const std::size_t on_the_way = exchange_ ? exchange_->items() * item_of_exchange() : 0;
    if (exchange_ && on_the_way + exchange_->writers() * buffer_for(0) > setup.memory / 2)
      throw std::runtime_error(
          fmt::format("{} groups of {} threads have too little memory to exchange records with each other: more is "
                      "needed, or fewer threads",
                      peers_->count(), by.workers()));
    memory_.emplace(setup.memory - on_the_way);
    for (std::size_t i = 0; i != by.workers(); ++i) disks_.push_back(std::make_unique<disk_queue>(setup.by_uring));
  }

  sort_summary sort() {
    if (setup_.chunks_from != nullptr) return sort_received();
    sort_output output(setup_, peers_.get());
    output_ = &output;
    const auto begin = clock::now();
    if (input_.is_stream()) input_.spool(space_, reading_, memory_->take(memory_->left()), setup_.stop);
    if (peers_ && !setup_.groups.own_input && input_.is_copy() && input_.size() != 0)
      throw std::runtime_error(fmt::format("{} can be read only once, and groups share it",
                                           weir::support::quoted_name(input_.contents().name())));
    summary_.workers = by_.workers();
    summary_.bytes = input_.size();
    progress_.input_bytes = summary_.bytes;
    if (setup_.compression != 0) compression_ = {.level = setup_.compression, .frame = frame_size()};
    if (exchange_) {
      make_runs_together(output);
    } else if (setup_.runs_from != nullptr) {
      expect_room(output, summary_.bytes, summary_.bytes);
      output.make_room(summary_.bytes);
      share_out_anew();
      runs_ = setup_.runs_from->make(reading_, input_.contents(), summary_.bytes, *memory_, summary_);
    } else {
      expect_room(output, summary_.bytes, summary_.bytes);
      output.make_room(summary_.bytes);
      make_own_runs();
    }
    summary_.runs = runs_.size();
    count(runs_, bytes_in_front<Stored>);
    input_.release();
    const auto middle = clock::now();
    summary_.making_runs = middle - begin;
    merge_all(output);
    by_.each(space_.files(), by_.workers(), [this](std::size_t, std::size_t number) { space_.clear(number); });
    publish(output);
    summary_.merging = clock::now() - middle;
    add_disks();
    return summary_;
  }

 private:
  // What comes from elsewhere, and goes back there.
  sort_summary sort_received() {
    summary_.workers = by_.workers();
    summary_.bytes = setup_.chunks_from->input_size();
    const auto begin = clock::now();
    do {
      for (const run& each : runs_) temporary_space::give_back(each);
      runs_.clear();
      make_runs();
    } while (setup_.chunks_from->begins_again());
    summary_.runs = runs_.size();
    const auto middle = clock::now();
    summary_.making_runs = middle - begin;
    if (runs_.size() > 1) {
      share_out_anew();
      const merge_plan plan = plan_of_merges();
      std::vector<run> merged = merge_apart(plan, ranges_to_merge(plan));
      for (const run& each : runs_) temporary_space::give_back(each);
      runs_ = std::move(merged);
    }
    count(runs_, 0);
    memory_->reset();
    setup_.chunks_from->give(runs_, reading_, memory_->take(memory_->left()));
    summary_.merging = clock::now() - middle;
    add_disks();
    return summary_;
  }

  void add_disks() {
    for (const auto& each : disks_) add(*each);
    add(reading_);
  }
  void add(const disk_queue& each) {
    summary_.waited += each.waited();
    summary_.bytes_read += each.bytes_read();
    summary_.bytes_written += each.bytes_written();
  }

  // How small runs become by compression nobody knows before.
  void expect_room(const sort_output& output, std::uint64_t runs, std::uint64_t output_bytes) {
    space_.expect_room(compression_ ? 0 : runs, memory_->size() / by_.slots(waits()), output.edges(), output_bytes);
  }

  void make_own_runs() {
    if (setup_.runs == run_method::snowplow) {
      make_runs_by_snowplow();
    } else {
      make_runs();
    }
  }

  std::uint64_t sample_distance() const {
    // So that samples take no more than a small share of the memory.
    constexpr std::uint64_t usual = std::uint64_t{64} << 10;
    return std::max(usual, summary_.bytes * 2 * sizeof(sample) * 32 / setup_.memory);
  }

  // It has its name once all of it is on the disk, everywhere, and found to be right.
  void publish(sort_output& output) {
    output.secure(summary_.bytes);
    if (setup_.is_verified) verify(output);
    if (setup_.output == "-") {
      memory_->reset();
      return copy_to_standard_output(output.whole_pages(), summary_.bytes, reading_, memory_->take(copy_buffer),
                                     setup_.stop);
    }
    output.publish();
    if (!exchange_) return;
    summary_.bytes_sent = exchange_->sent();
    summary_.exchanges = exchange_->exchanges();
  }

  // Of the memory, a twelfth or so is for what is on its way.
  std::size_t item_of_exchange() const {
    constexpr std::size_t least = std::size_t{4} << 10, most = std::size_t{256} << 10;
    return std::clamp(setup_.memory / 12 / exchange_->items(), least, most);
  }

  void make_runs_together(sort_output& output) {
    const std::size_t slots = by_.slots(true);
    memory_->reset();
    const std::uint64_t all =
        exchange_->begin(reading_, input_.contents(), summary_.bytes, memory_->take(memory_->left() / 6));
    summary_.bytes = all / peers_->count();
    const bool for_all = output.is_shared() && peers_->is_first();
    expect_room(output, summary_.bytes, for_all ? all : output.is_shared() ? 0 : summary_.bytes);
    if (for_all) output.make_room(all);
    progress_.input_bytes = summary_.bytes;
    share_out_anew();
    exchange_memory memory{
        .item = item_of_exchange(), .sample_distance = sample_distance(), .longest = longest_to_merge()};
    const std::size_t buffer = run_output::memory_for(buffer_for(memory_->size() / exchange_->writers()), compression_);
    for (std::size_t i = 0; i != exchange_->writers(); ++i)
      memory.writing.emplace_back(*disks_.front(), space_, i, compression_, memory_->take(buffer));
    const std::size_t slice = rounded_down(memory_->left() / slots);
    for (std::size_t i = 0; i != slots; ++i) memory.chunks.push_back(memory_->take(slice));
    runs_ = exchange_->run_all(
        memory, [&] { sum_ = 0; },
        [&](const chunk& sorted) {
          if (setup_.is_verified) sum_ += sum_of(sorted, format_);
          progress_.sorted_bytes += sorted.known.bytes;
        });
  }

  static constexpr std::size_t index_share = 32;  // of the memory: an index of frames takes no more

  std::size_t frame_size() const {
    const std::uint64_t most = setup_.memory / index_share / sizeof(std::uint32_t);
    return std::max(least_block, std::bit_ceil(summary_.bytes / std::max<std::uint64_t>(1, most)));
  }

  // All memory is free again, but for what is not in it: indices of frames, and as much while they grow.
  void share_out_anew() {
    memory_->reset();
    if (!compression_) return;
    const std::uint64_t index = summary_.bytes / compression_->frame * sizeof(std::uint32_t);
    memory_->take(std::min<std::uint64_t>(2 * index, 2 * memory_->size() / index_share));
  }

  bool receive(chunk& next, std::uint64_t number, std::span<std::byte> memory) {
    const std::size_t bytes = setup_.chunks_from->next(memory);
    if (bytes != 0) next = received_chunk(format_, number, memory, bytes);
    return bytes != 0;
  }

  bool waits() const {
    return setup_.chunks_from != nullptr || !space_.is_in_memory() || !is_in_memory(input_.contents().descriptor());
  }

  void make_runs() {
    const std::size_t workers = by_.workers(), slots = by_.slots(waits());
    share_out_anew();
    const std::uint64_t longest = longest_to_merge();
    const std::size_t buffer = run_output::memory_for(buffer_for(memory_->left() / workers), compression_);
    std::vector<std::span<std::byte>> buffers, slices;
    for (std::size_t i = 0; i != workers; ++i) buffers.push_back(memory_->take(buffer));
    const std::size_t slice = rounded_down(memory_->left() / slots);
    for (std::size_t i = 0; i != slots; ++i) slices.push_back(memory_->take(slice));

    std::vector<run_maker<Format>> makers;
    for (std::size_t i = 0; i != workers; ++i) makers.emplace_back(format_, sample_distance(), setup_.is_unique);
    std::vector<chunk> chunks(slots);
    chunk_reader<Format> reader(reading_, input_.contents(), format_, 0, summary_.bytes, longest);
    std::uint64_t received = 0;
    std::mutex adding;
    by_.stream(
        slots, waits(),
        [&](std::size_t slot) {
          if (setup_.chunks_from != nullptr) return receive(chunks[slot], received++, slices[slot]);
          if (reader.is_at_end()) return false;
          chunks[slot] = reader.next(slices[slot]);
          return true;
        },
        [&](std::size_t worker, std::size_t slot) {
          const chunk& present = chunks[slot];
          if (setup_.is_verified) sum_ += sum_of(present, format_);
          run_output to(*disks_[worker], space_, worker, compression_, buffers[worker]);
          run made = makers[worker].make(present, to.begin());
          to.end(made);
          progress_.sorted_bytes += made.size;
          const std::lock_guard held(adding);
          if (runs_.size() <= present.number) runs_.resize(present.number + 1);
          runs_[present.number] = std::move(made);
        });
  }

  void make_runs_by_snowplow() {
    constexpr std::size_t least_chunk = std::size_t{16} << 10, most_chunk = std::size_t{1} << 20;
    constexpr std::size_t chunks_in_memory = 24;  // of a worker; more would be more mini runs with pages in part used
    const std::size_t workers = by_.workers(), slots = by_.slots(waits());
    share_out_anew();
    const std::uint64_t longest = longest_to_merge();
    const std::size_t share = memory_->left() / workers;
    std::vector<std::span<std::byte>> buffers, slices;
    const std::size_t buffer = run_output::memory_for(buffer_for(share), compression_);
    for (std::size_t i = 0; i != workers; ++i) buffers.push_back(memory_->take(buffer));
    const std::size_t slice = rounded_down(std::clamp(share / chunks_in_memory, least_chunk, most_chunk));
    for (std::size_t i = 0; i != slots; ++i) slices.push_back(memory_->take(slice));
    const std::size_t pool = rounded_down(memory_->left() / workers);
    if (pool < snowplow<Format>::memory_for(slice))
      throw std::runtime_error(fmt::format("{} threads need more memory for runs by a snowplow", workers));

    snowplow_setup setup{.sample_distance = sample_distance(),
                         .is_unique = setup_.is_unique,
                         .is_numbered = bytes_in_front<Stored> != 0,
                         .stop = setup_.stop};
    std::deque<run_output> outputs;
    std::deque<snowplow<Format>> plows;
    for (std::size_t i = 0; i != workers; ++i) {
      outputs.emplace_back(*disks_[i], space_, i, compression_, buffers[i]);
      setup.first_run = std::uint64_t{i} << 32;
      plows.emplace_back(format_, memory_->take(pool), outputs[i], setup);
    }
    std::vector<chunk> chunks(slots);
    chunk_reader<Format> reader(reading_, input_.contents(), format_, 0, summary_.bytes, longest);
    std::optional<record_too_long> problem;
    by_.stream(
        slots, waits(),
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
          if (setup_.is_verified) sum_ += sum_of(chunks[slot], format_);
          plows[worker].add(chunks[slot]);
          progress_.sorted_bytes += chunks[slot].known.bytes;
        });
    if (problem) throw *problem;
    by_.each(workers, workers, [&](std::size_t, std::size_t task) { plows[task].finish(); });
    for (auto& each : plows) std::ranges::move(each.runs(), std::back_inserter(runs_));
  }

  std::uint64_t sum_of_all(std::uint64_t own) const { return peers_ ? peers_->sum_of_all(own) : own; }

  // Which group's part of the output begins too early. By all groups.
  std::optional<std::size_t> overlap(const file_contents& own) const {
    if (!peers_) return std::nullopt;
    const auto choose = [&](const std::vector<splitters>& each) {
      std::vector<std::pair<std::string, std::string>> borders;
      for (const splitters& of : each) borders.emplace_back(of.all.at(0).record, of.all.at(1).record);
      splitters wrong;
      if (const auto group = first_overlap(borders, format_, setup_.is_unique)) wrong.all = {{*group, 0, ""}};
      return wrong;
    };
    const std::size_t number = peers_->number();
    const splitters wrong = peers_->reduced_splitters(
        [&] {
          return splitters{0, {{number, 0, own.first}, {number, 0, own.last}}};
        },
        choose);
    if (wrong.all.empty()) return std::nullopt;
    return static_cast<std::size_t>(wrong.all.front().group);
  }

  // That the output on the disk is what it should be. What was left out is not known; then its order and number are all that is looked at.
  void verify(const sort_output& output) {
    progress_.is_verifying = true;
    if (!output.whole_pages().is_direct()) ::posix_fadvise(output.edges().descriptor(), 0, 0, POSIX_FADV_DONTNEED);
    memory_->reset();
    std::string wrong;
    try {
      const std::size_t of_border = peers_ ? setup_.memory / 32 / peers_->count() : 0;
      const file_contents found = check_file(output.whole_pages(), output_begin_, output_begin_ + summary_.bytes,
                                             format_, by_, *memory_, reading_, of_border);
      if (found.first_disorder) {
        wrong = fmt::format("the record at byte {} should be before the one in front of it", *found.first_disorder);
      } else if (setup_.is_unique && found.first_repetition) {
        wrong = fmt::format("the record at byte {} has the key of the one in front of it", *found.first_repetition);
      } else if (found.records != summary_.records || found.bytes != summary_.bytes) {
        wrong = fmt::format("it has {} records in {} bytes instead of {} in {}", found.records, found.bytes,
                            summary_.records, summary_.bytes);
      } else if (!setup_.is_unique && sum_of_all(found.sum) != sum_of_all(sum_)) {
        wrong = "its records are not those of the input";
      } else if (const auto group = overlap(found)) {
        wrong = fmt::format("the first record of group {} should be before the last one of those in front of it",
                            peers_->name(*group));
      }
    } catch (const bad_record& bad) {
      wrong = bad.what();
    } catch (const std::exception& error) {
      try {
        std::rethrow_if_nested(error);  // a network says which of its nodes failed
        throw;
      } catch (const bad_record& bad) {
        wrong = bad.what();
      }
    }
    if (wrong.empty()) return;
    throw wrong_output(fmt::format(
        "{}: what was written is wrong, and is dropped: {}; the disk or the memory of this machine may be faulty",
        weir::support::quoted_name(setup_.output), wrong));
  }

  // How runs are merged, as far as memory goes.
  struct merge_plan {
    std::size_t workers;
    std::size_t most;  // runs at once
    std::size_t memory;
    std::size_t buffer;
  };

  std::size_t frame() const noexcept { return compression_ ? compression_->frame : 0; }

  // @param longest record of the runs, as it is stored @return nothing: two at once are too many
  std::optional<merge_plan> plan_for(std::size_t workers, std::uint64_t longest) const {
    const std::size_t decoder = compression_ ? frame_decoder::memory_for() : 0;
    const std::size_t one = run_cursor<Stored>::memory_for(std::max(least_block, frame()), longest, frame());
    const std::size_t memory = rounded_down(memory_->left() / workers);
    const std::size_t buffer = run_output::memory_for(buffer_for(memory), compression_);
    if (memory < decoder + buffer || run_cutter<Stored>::memory_for(longest, frame()) > memory - decoder) return {};
    std::size_t most = (memory - decoder - buffer) / one;
    if (setup_.merging == merge_method::binary) most = std::min<std::size_t>(most, 2);
    if (setup_.most_at_once != 0) most = std::min(most, setup_.most_at_once);
    if (most < 2) return {};
    return merge_plan{workers, most, memory - decoder, buffer};
  }

  merge_plan plan_of_merges() const {
    const std::uint64_t longest = runs_.empty() ? 0 : std::ranges::max_element(runs_, {}, &run::longest)->longest;
    for (std::size_t workers = by_.workers(); workers != 0; --workers) {
      if (const auto plan = plan_for(workers, longest)) return *plan;
    }
    throw std::runtime_error(fmt::format(
        "{}: a record has {} bytes, and two of them do not fit into memory to be merged; more memory is needed",
        weir::support::quoted_name(input_.contents().name()), longest));
  }

  // What is longer is refused as soon as it is read, with its place. All memory is free but what `share_out_anew` has set aside.
  std::uint64_t longest_to_merge() const {
    std::uint64_t fits = 0, too_long = memory_->left() + 1;
    while (too_long - fits > 1) {
      const std::uint64_t middle = fits + (too_long - fits) / 2;
      (plan_for(1, middle + bytes_in_front<Stored>) ? fits : too_long) = middle;
    }
    return fits;
  }

  std::size_t block_for(const merge_plan& plan, std::span<const run_part> parts) const {
    std::uint64_t fixed = plan.buffer;
    for (const run_part& each : parts) fixed += run_cursor<Stored>::memory_for(0, each.of->longest, frame());
    const std::size_t left = plan.memory > fixed ? plan.memory - fixed : 0;
    if (!compression_) return std::clamp(rounded_down(left / (2 * parts.size())), least_block, most_block);
    const std::size_t of_each = left / parts.size();
    const std::size_t frames = of_each < page ? 0 : (of_each - page) / (frame() + frame_bound(frame()));
    return frame() * std::clamp<std::size_t>(frames, 1, std::max<std::size_t>(1, most_block / frame()));
  }

  // @param plain as it goes into the output @param samples that it gets
  run merge(const merge_plan& plan, std::size_t worker, std::span<const run_part> parts, record_writer& to, bool plain,
            sample_places samples) {
    if (!mergers_[worker])
      mergers_[worker] =
          std::make_unique<merger<Stored>>(*disks_[worker], stored_, decoder_of(worker), setup_.is_unique);
    run made = mergers_[worker]->merge(parts, block_for(plan, parts), slices_[worker].subspan(plan.buffer), to, plain,
                                       samples, setup_.stop);
    progress_.merged_bytes += made.size;
    return made;
  }

  // Of all runs, once these are no more than can be merged at once: for the last pass.
  std::vector<std::vector<run_part>> ranges_to_merge(const merge_plan& plan) {
    decoders_.resize(by_.workers());
    for (std::size_t i = 0; i != plan.workers; ++i) {
      if (compression_) decoders_[i].emplace(memory_->take(frame_decoder::memory_for()));
      slices_.push_back(memory_->take(plan.memory));
    }
    mergers_.resize(by_.workers());
    progress_.to_merge = summary_.bytes;
    while (runs_.size() > plan.most) merge_some(plan);
    ++summary_.passes;
    run_cutter<Stored> cutter(reading_, stored_, slices_.front(), decoder_of(0), setup_.is_unique);
    return cutter.cut(runs_, plan.workers);
  }

  void merge_all(sort_output& output) {
    if (runs_.empty()) {
      output.place(0);
      return;
    }
    share_out_anew();
    const merge_plan plan = plan_of_merges();
    auto ranges = ranges_to_merge(plan);
    // What is left out is known once it has been: until then nobody knows where a range begins in the output.
    std::vector<run> apart;
    if (setup_.is_unique && (ranges.size() > 1 || peers_)) {
      apart = merge_apart(plan, ranges);
      for (std::size_t i = 0; i != ranges.size(); ++i) ranges[i] = {{&apart[i], 0, apart[i].size, apart[i].records}};
    }
    std::uint64_t own = 0;
    for (const auto& parts : ranges) own += output_size_of(parts);
    output_begin_ = output.place(own);
    std::vector<std::uint64_t> begins{output_begin_};
    for (const auto& parts : ranges) begins.push_back(begins.back() + output_size_of(parts));
    std::vector<run> made(ranges.size());
    by_.each(ranges.size(), plan.workers, [&](std::size_t worker, std::size_t range) {
      record_writer to(*disks_[worker], slices_[worker].first(plan.buffer / (2 * page) * (2 * page)),
                       output.whole_pages(), &output.edges(), begins[range]);
      made[range] = merge(plan, worker, ranges[range], to, true, {});
      to.finish();
    });
    count(made, 0);
  }

  frame_decoder* decoder_of(std::size_t worker) noexcept { return decoders_[worker] ? &*decoders_[worker] : nullptr; }

  static std::uint64_t size_of(std::span<const run_part> parts) {
    std::uint64_t size = 0;
    for (const run_part& each : parts) size += each.end - each.begin;
    return size;
  }

  static std::uint64_t output_size_of(std::span<const run_part> parts) {
    return size_of(parts) - bytes_in_front<Stored> * records_of(parts);
  }

  static std::uint64_t records_of(std::span<const run_part> parts) {
    std::uint64_t records = 0;
    for (const run_part& each : parts) records += each.records;
    return records;
  }

  // @param in_front bytes before each record that are not its own
  void count(const std::vector<run>& all, std::size_t in_front) {
    summary_.records = 0;
    summary_.bytes = 0;
    for (const run& each : all) {
      summary_.records += each.records;
      summary_.bytes += each.size - in_front * each.records;
    }
  }

  // Into runs.
  std::vector<run> merge_apart(const merge_plan& plan, std::span<const std::vector<run_part>> groups) {
    std::vector<run> made(groups.size());
    for (const auto& each : groups) progress_.to_merge += size_of(each);
    by_.each(groups.size(), plan.workers, [&](std::size_t worker, std::size_t number) {
      run_output to(*disks_[worker], space_, worker, compression_, slices_[worker].first(plan.buffer));
      made[number] = merge(plan, worker, groups[number], to.begin(), false, {sample_distance(), number});
      to.end(made[number]);
    });
    return made;
  }

  // One pass more, over no more runs than must be, or over all pairs.
  void merge_some(const merge_plan& plan) {
    ++summary_.passes;
    const std::size_t too_many = setup_.merging == merge_method::binary ? runs_.size() / 2 : runs_.size() - plan.most;
    std::vector<std::vector<run_part>> groups;
    std::size_t gone = 0, at = 0;
    while (gone < too_many && at + 1 < runs_.size()) {
      groups.emplace_back();
      for (std::size_t left = std::min({plan.most, too_many - gone + 1, runs_.size() - at}); left != 0; --left, ++at)
        groups.back().push_back({&runs_[at], 0, runs_[at].size, runs_[at].records});
      gone += groups.back().size() - 1;
    }
    std::uint64_t bytes = 0;
    for (const auto& each : groups) bytes += size_of(each);
    if (output_ != nullptr) expect_room(*output_, bytes, output_->without_room());
    std::vector<run> made = merge_apart(plan, groups);
    for (std::size_t i = 0; i != at; ++i) temporary_space::give_back(runs_[i]);
    std::move(runs_.begin() + static_cast<std::ptrdiff_t>(at), runs_.end(), std::back_inserter(made));
    runs_ = std::move(made);
  }

  const sort_setup& setup_;
  Format format_;
  Stored stored_;
  engine& by_;
  sort_progress& progress_;
  input_file input_;
  std::unique_ptr<peers> peers_;                // null: there are none
  std::unique_ptr<exchange<Format>> exchange_;  // likewise
  temporary_space space_;
  std::optional<arena> memory_;
  std::optional<run_compression> compression_;
  disk_queue reading_;
  std::vector<std::unique_ptr<disk_queue>> disks_;  // of the workers
  std::vector<std::unique_ptr<merger<Stored>>> mergers_;
  std::vector<std::optional<frame_decoder>> decoders_;  // likewise
  std::vector<std::span<std::byte>> slices_;
  std::vector<run> runs_;
  std::uint64_t output_begin_ = 0;       // of what this process writes of it
  const sort_output* output_ = nullptr;  // null: there is none
  std::atomic<std::uint64_t> sum_ = 0;   // of the input's records
  sort_summary summary_;
};

}  // namespace

sort_summary sort_file(const sort_setup& setup, engine& by, sort_progress& progress) {
  const auto sort = [&]<class Format>(const Format& format) {
    if (setup.runs == run_method::chunks) return sort_job<Format, Format>(setup, format, by, progress).sort();
    try {
      // Chunks of several snowplows lie between each other: their numbers have to be kept.
      if (by.workers() == 1) return sort_job<Format, Format>(setup, format, by, progress).sort();
      return sort_job<Format, numbered_records<Format>>(setup, format, by, progress).sort();
    } catch (const record_too_long&) {
      if (input_file(setup.input, false).is_stream()) throw;  // what was read of it is gone
      // Where a record does not fit beside many others, there is nothing to be gained either.
      sort_setup other = setup;
      other.runs = run_method::chunks;
      progress.sorted_bytes = 0;
      return sort_job<Format, Format>(other, format, by, progress).sort();
    }
  };
  return std::visit(sort, setup.format);
}

}  // namespace extsort
