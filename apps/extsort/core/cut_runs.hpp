// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "merge.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace extsort {

/// Cuts runs into ranges of the order of all their records, of about equal size, by the key, the number of the run, and the place in it: so equal records, too, are shared out. Each cut is exact: it lies
/// between the same two records in every run, which few reads find (Varman, Scheufler, Iyer, Ricard 1991, with samples instead of estimates). For one thread at a time.
template <class Format>
class run_cutter {
 public:
  /// @param scratch of at least `memory_for`, at a page @param decoder may be null if runs are not compressed @param by_key_only leaves records with equal keys together
  run_cutter(disk_queue& disk, const Format& format, std::span<std::byte> scratch, frame_decoder* decoder,
             bool by_key_only)
      : disk_(&disk), format_(format), scratch_(scratch), decoder_(decoder), by_key_only_(by_key_only) {}

  /// For two records, and what has to be read around each. @param frame of the runs, or 0
  static std::size_t memory_for(std::uint64_t longest, std::size_t frame) noexcept {
    const std::size_t at_once = read_at_once(longest, frame == 0 ? page : frame);
    return at_once + run_reading::memory_for(at_once, frame);
  }

  /// @return of each range the part of each run
  std::vector<std::vector<run_part>> cut(std::span<const run> runs, std::size_t ranges) {
    std::vector<splitter> chosen = choose(runs, ranges);
    std::vector<std::vector<run_part>> made(chosen.size() + 1);
    for (std::uint32_t number = 0; number != runs.size(); ++number) {
      position begin;
      for (std::size_t range = 0; range != made.size(); ++range) {
        const run& of = runs[number];
        position end = range == chosen.size() ? position{of.size, of.records} : cut_of(runs, number, chosen[range]);
        if (end.offset < begin.offset) end = begin;
        made[range].push_back({&of, begin.offset, end.offset, end.before - begin.before});
        begin = end;
      }
    }
    return made;
  }

 private:
  // A place in a run.
  struct position {
    std::uint64_t offset = 0;
    std::uint64_t before = 0;  // records
  };
  struct splitter {
    std::uint64_t word;
    std::uint32_t run;
    position at;
    std::vector<std::byte> record;
  };

  std::vector<splitter> choose(std::span<const run> runs, std::size_t ranges) {
    struct candidate {
      std::uint64_t word;
      std::uint32_t run;
      std::uint32_t sample;
    };
    std::vector<candidate> all;
    std::uint64_t bytes = 0;
    for (std::uint32_t number = 0; number != runs.size(); ++number) {
      bytes += runs[number].size;
      for (std::uint32_t i = 0; i != runs[number].samples.size(); ++i)
        all.push_back({runs[number].samples[i].word, number, i});
    }
    std::ranges::sort(all, [](const candidate& a, const candidate& b) {
      return a.word != b.word ? a.word < b.word : a.run != b.run ? a.run < b.run : a.sample < b.sample;
    });
    std::vector<splitter> made;
    // Bytes that probably lie before a sample: of other runs half of what follows their last sample before it, unless they end there.
    std::uint64_t before = 0;
    std::vector<std::uint64_t> rest(runs.size());  // of that
    for (const candidate& each : all) {
      if (made.size() + 1 >= ranges) break;
      const run& of = runs[each.run];
      before += rest[each.run];  // of its own run all is known
      if (before >= bytes / ranges * (made.size() + 1) && before != 0) {
        const record_view found = record_at(of, of.samples[each.sample].offset);
        const sample& here = of.samples[each.sample];
        made.push_back({each.word, each.run, {here.offset, here.before}, {found.begin(), found.end()}});
      }
      const bool is_last = each.sample + 1 == of.samples.size();
      const std::uint64_t following =
          (is_last ? of.size : of.samples[each.sample + 1].offset) - of.samples[each.sample].offset;
      rest[each.run] = is_last ? 0 : following / 2;
      before += following - rest[each.run];
    }
    std::ranges::sort(made, [&](const splitter& a, const splitter& b) {
      const auto order = format_.compare(a.record, b.record);
      return order != 0 ? order < 0 : a.run != b.run ? a.run < b.run : a.at.offset < b.at.offset;
    });
    return made;
  }

  // Whether a record of that run goes before a splitter that is in another one.
  bool is_before(record_view record, std::uint32_t number, const splitter& by) const {
    const auto order =
        by_key_only_ ? compare_keys(format_, record, by.record) : format_.compare(record, record_view(by.record));
    return order != 0 ? order < 0 : !by_key_only_ && number < by.run;
  }

  // Where the first record of that run lies that does not go before the splitter.
  position cut_of(std::span<const run> runs, std::uint32_t number, const splitter& by) {
    if (number == by.run && !by_key_only_) return by.at;
    const run& of = runs[number];
    const auto later = std::ranges::partition_point(of.samples, [&](const sample& each) {
      if (each.word != by.word) return each.word < by.word;
      if constexpr (Format::words_decide) return !by_key_only_ && number < by.run;
      return is_before(record_at(of, each.offset), number, by);
    });
    if (later == of.samples.begin()) return {};
    const std::uint64_t end = later == of.samples.end() ? of.size : later->offset;
    position at{std::prev(later)->offset, std::prev(later)->before};
    // The record at `at` goes before it.
    while (at.offset < end) {
      const record_view record = record_at(of, at.offset);
      if (!is_before(record, number, by)) break;
      at.offset += record.size();
      ++at.before;
    }
    at.offset = std::min(at.offset, end);  // of a run that is damaged
    return at;
  }

  static std::size_t read_at_once(std::uint64_t longest, std::size_t unit) noexcept {
    return 2 * ((longest + unit - 1) / unit * unit + 2 * unit);
  }

  // It is good until the next call.
  record_view record_at(const run& of, std::uint64_t offset) {
    while (true) {
      if (&of == held_.of && offset >= held_.begin && offset < held_.begin + held_.size) {
        const std::byte* const at = scratch_.data() + (offset - held_.begin);
        const std::uint64_t available = std::min(held_.begin + held_.size, of.size) - offset;
        const std::uint64_t size = format_.size_of(at, available);
        if (size <= available) return {at, static_cast<std::size_t>(size)};
        if (held_.begin == offset / of.unit() * of.unit()) throw damaged_run(of);
      }
      held_ = {&of, offset / of.unit() * of.unit(), 0};
      const std::size_t room = read_at_once(of.longest, of.unit());
      run_reading reading;
      reading.begin(*disk_, of, held_.begin, std::min<std::uint64_t>(room, of.size - held_.begin), scratch_.data(),
                    scratch_.data() + room, decoder_);
      held_.size = reading.finish();
      if (held_.size == 0) throw damaged_run(of);
    }
  }

  struct held {
    const run* of = nullptr;
    std::uint64_t begin = 0;  // in the run
    std::uint64_t size = 0;
  };

  disk_queue* disk_;
  Format format_;
  std::span<std::byte> scratch_;
  frame_decoder* decoder_;
  bool by_key_only_;
  held held_;
};

}  // namespace extsort
