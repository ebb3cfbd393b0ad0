// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cut_runs.hpp"

#include "run_reading.hpp"

#include <algorithm>
#include <iterator>

namespace extsort {
namespace {

std::size_t read_at_once(std::uint64_t longest, std::size_t unit) noexcept {
  return 2 * ((longest + unit - 1) / unit * unit + 2 * unit);
}

}  // namespace

std::size_t cutter_memory(std::uint64_t longest, std::size_t frame) noexcept {
  const std::size_t at_once = read_at_once(longest, frame == 0 ? page : frame);
  return at_once + run_reading::memory_for(at_once, frame);
}

std::vector<std::vector<run_part>> run_cutter::cut(std::span<const run> runs, std::size_t ranges) {
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

std::vector<run_cutter::splitter> run_cutter::choose(std::span<const run> runs, std::size_t ranges) {
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
  // Bytes that probably lie before a sample: of each other run, half of the bytes between its last
  // sample before this one and the next, or all of them if the run ends there.
  std::uint64_t before = 0;
  std::vector<std::uint64_t> rest(runs.size());  // the other half
  for (const candidate& each : all) {
    if (made.size() + 1 >= ranges) break;
    const run& of = runs[each.run];
    before += rest[each.run];  // all bytes of its own run are known
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
    const auto order = rules_->compare(a.record, b.record);
    return order != 0 ? order < 0 : a.run != b.run ? a.run < b.run : a.at.offset < b.at.offset;
  });
  return made;
}

// Whether a record of that run precedes a splitter from another run.
bool run_cutter::is_before(record_view record, std::uint32_t number, const splitter& by) const {
  const auto order =
      by_key_only_ ? rules_->compare_keys(record, by.record) : rules_->compare(record, record_view(by.record));
  return order != 0 ? order < 0 : !by_key_only_ && number < by.run;
}

// Returns the place of the first record of that run that does not precede the splitter.
run_cutter::position run_cutter::cut_of(std::span<const run> runs, std::uint32_t number, const splitter& by) {
  if (number == by.run && !by_key_only_) return by.at;
  const run& of = runs[number];
  const auto later = std::ranges::partition_point(of.samples, [&](const sample& each) {
    if (each.word != by.word) return each.word < by.word;
    if (rules_->words_decide()) return !by_key_only_ && number < by.run;
    return is_before(record_at(of, each.offset), number, by);
  });
  if (later == of.samples.begin()) return {};
  const std::uint64_t end = later == of.samples.end() ? of.size : later->offset;
  position at{std::prev(later)->offset, std::prev(later)->before};
  // The record at `at` precedes the splitter.
  while (at.offset < end) {
    const record_view record = record_at(of, at.offset);
    if (!is_before(record, number, by)) break;
    at.offset += record.size();
    ++at.before;
  }
  at.offset = std::min(at.offset, end);  // may be later if the run is damaged
  return at;
}

// Reads a record, which is valid until the next call.
record_view run_cutter::record_at(const run& of, std::uint64_t offset) {
  while (true) {
    if (&of == held_.of && offset >= held_.begin && offset < held_.begin + held_.size) {
      const std::byte* const at = scratch_.data() + (offset - held_.begin);
      const std::uint64_t available = std::min(held_.begin + held_.size, of.size) - offset;
      const std::uint64_t size = rules_->size_of(at, available);
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

}  // namespace extsort
