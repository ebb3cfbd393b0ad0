// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/io/from.hpp>
#include <weir/item/buffer.hpp>
#include <weir/weir.hpp>

#include "chunk_reader.hpp"
#include "engine.hpp"
#include "exchange_items.hpp"
#include "exchange_options.hpp"
#include "free_slots.hpp"
#include "peers.hpp"
#include "record_finder.hpp"
#include "record_writer.hpp"
#include "run_output.hpp"
#include "runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace extsort {

/// What an exchange works with.
struct exchange_memory {
  std::vector<std::span<std::byte>> chunks = {};
  std::deque<run_output> writing = {};  ///< as many as there are `writers`
  std::size_t item = 0;                 ///< bytes on their way, in one piece
  std::uint64_t sample_distance = 0;
  std::uint64_t longest = 0;  ///< record that can be merged
};

/// Sorting in groups, a sample sort: each group reads its share of the input in chunks, sorts them, and sends every other one what of them is in that one's range of keys, which becomes runs there.
/// Ranges are chosen by samples and are of about equal size, equal keys by where they come from. What belongs to which group, and in which order, follows from the input alone, so that the sort is stable.
///
/// Calls that exchange are made by all groups, as those of `peers`.
template <class Format>
class exchange {
 public:
  /// @param others outlive this
  exchange(const peers& others, const sort_groups& groups, const Format& format, bool unique)
      : others_(others),
        own_(others.number()),
        member_(groups.member),
        own_input_(groups.own_input),
        format_(format),
        by_(groups.by),
        is_unique_(unique) {}

  /// Runs that are written at the same time.
  std::size_t writers() const noexcept { return groups() * by_.workers; }
  /// Pieces of `exchange_memory::item` bytes that may exist at once in this process.
  std::size_t items() const noexcept {
    return writers() * (2 * waiting + 1 + waiting) + by_.workers * (2 * waiting + 1);
  }

  /// Bytes that went to other groups.
  std::uint64_t sent() const noexcept { return sent_; }
  /// How often all was exchanged.
  std::size_t exchanges() const noexcept { return exchanges_; }

  /// Shares out the input, and chooses the ranges. @param size of the input, or of this group's own
  /// @return bytes of the whole input @throws std::runtime_error if groups see different files
  std::uint64_t begin(disk_queue& disk, const file& input, std::uint64_t size, std::span<std::byte> memory) {
    for_samples_ = memory.size() / groups();
    disk_ = &disk;
    input_ = &input;
    size_ = size;
    record_finder<Format> finder(disk, input, format_, size, memory);
    const std::uint64_t from = own_input_ ? 0 : finder.first_from(size / groups() * own_);
    const std::vector<std::uint64_t> told = others_.told_by_all({size, from});
    begins_.clear();
    std::uint64_t all = own_input_ ? 0 : size;
    for (std::size_t i = 0; i != groups(); ++i) {
      if (own_input_) {
        all += told[2 * i];
        continue;
      }
      if (told[2 * i] != size)
        throw std::runtime_error(
            fmt::format("{}: has {} bytes here, and {} in group {}; all groups must see the same file", input.name(),
                        size, told[2 * i], others_.name(i)));
      begins_.push_back(begins_.empty() ? 0 : std::max(begins_.back(), told[2 * i + 1]));
    }
    choose_ranges(finder);
    return all;
  }

  /// @param begins is called before each exchange: there may be more than one @param sorted gets each chunk of this group's share once it is sorted; by several threads
  /// @return runs of what is in this group's range, in the order of the input @throws bad_record
  std::vector<run> run_all(exchange_memory& memory, const std::function<void()>& begins,
                           const std::function<void(const chunk&)>& sorted) {
    while (true) {
      begins();
      std::vector<run> made = run_once(memory, sorted);
      if (agree()) return made;
      for (const run& each : made) temporary_space::give_back(each);
    }
  }

 private:
  static constexpr std::uint64_t unknown_place = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::size_t waiting = 2;  // pieces, from one worker to one group

  std::size_t groups() const noexcept { return others_.count(); }
  std::uint64_t share_begin() const { return own_input_ ? 0 : begins_[own_]; }
  std::uint64_t share_end() const { return own_input_ || own_ + 1 == groups() ? size_ : begins_[own_ + 1]; }

  // Where one file's records lie decides which comes first, whoever reads them.
  std::uint64_t rank() const { return own_input_ ? own_ : 0; }

  // ---- ranges ----

  bool is_before(const splitter& a, const splitter& b) const {
    const auto order = format_.compare(view_of(a), view_of(b));
    return order != 0 ? order < 0 : a.group != b.group ? a.group < b.group : a.place < b.place;
  }
  static record_view view_of(const splitter& of) {
    return {reinterpret_cast<const std::byte*>(of.record.data()), of.record.size()};
  }

  // Some hundred from everywhere, so that no range is much larger than another, whatever the order of the input is; but only a small share of it.
  splitters samples(record_finder<Format>& finder) {
    constexpr std::size_t places = 512, at_a_place = 8, distance = page, window = 4 * page;
    constexpr std::uint64_t least_bytes = std::uint64_t{256} << 10, most_bytes = std::uint64_t{2} << 20;
    splitters made;
    const std::uint64_t begin = share_begin(), size = share_end() - begin;
    const std::uint64_t steps = std::min<std::uint64_t>(places, size / distance + 1);
    // As many at each, so that all stand for as much.
    const std::uint64_t most = std::min(std::clamp(size / 64, least_bytes, most_bytes), for_samples_) / steps;
    for (std::uint64_t i = 0; i != steps && size != 0; ++i) {
      std::uint64_t taken = 0;
      finder.look_around(begin + size / steps * i, window, at_a_place, [&](record_view record, std::uint64_t place) {
        const std::uint64_t takes = sizeof(splitter) + record.size();
        if (place >= begin + size || (taken != 0 && taken + takes > most)) return;
        taken += takes;
        made.all.push_back({rank(), place, {reinterpret_cast<const char*>(record.data()), record.size()}});
      });
    }
    made.stands_for = made.all.empty() ? 0 : size / made.all.size();
    return made;
  }

  void choose_ranges(record_finder<Format>& finder) {
    const auto choose = [&](std::vector<splitters> each) {
      struct candidate {
        std::uint64_t bytes;
        splitter* of;
      };
      std::vector<candidate> all;
      std::uint64_t known = 0;
      for (splitters& some : each) {
        for (splitter& one : some.all) all.push_back({some.stands_for, &one});
        known += some.stands_for * some.all.size();
      }
      std::ranges::sort(all, [&](const candidate& a, const candidate& b) { return is_before(*a.of, *b.of); });
      splitters made;
      std::uint64_t before = 0;
      for (const candidate& next : all) {
        if (made.all.size() + 1 == groups()) break;
        if (before >= known / groups() * (made.all.size() + 1) && before != 0) made.all.push_back(std::move(*next.of));
        before += next.bytes;
      }
      return made;
    };
    ranges_ = others_.reduced_splitters([&] { return samples(finder); }, choose).all;
  }

  // Whether a record of this group's share is in an earlier range than that which the splitter begins.
  bool is_before(record_view record, std::uint64_t place, const splitter& by) const {
    const auto order = format_.compare(record, view_of(by));
    if (order != 0 || is_unique_) return order < 0;
    return rank() != by.group ? rank() < by.group : place < by.place;
  }

  // ---- the network ----

  // Reads the share of a group.
  struct reader {
    exchange* of;
    std::optional<std::size_t> next(weir::context& at) { return of->read(at); }
  };
  // Sorts chunks, and sends each group what is for it.
  struct sorter {
    exchange* of;
    chunk_sorter<Format> by;
    explicit sorter(exchange& whole) : of(&whole), by(whole.format_) {}
    sorter(const sorter& other) : sorter(*other.of) {}
    void process(std::size_t slot, weir::outlet<piece>& out) {
      try {
        of->sort_and_send(slot, by, out);
      } catch (...) {
        of->free_->close();
        throw;
      }
      of->free_->give_back(slot);
    }
  };
  // Writes what is for this group.
  struct store {
    exchange* of;
    void process(const piece& some) { of->write(some); }
  };

  std::vector<run> run_once(exchange_memory& memory, const std::function<void(const chunk&)>& sorted) {
    ++exchanges_;
    memory_ = &memory;
    sorted_ = &sorted;
    free_.emplace(memory.chunks.size());
    chunks_.assign(memory.chunks.size(), {});
    open_.clear();
    made_.clear();
    unused_.clear();
    for (run_output& each : memory.writing) unused_.push_back(&each);
    reached_ = unknown_place;
    problem_ = nullptr;
    const std::stop_callback closes(by_.stop, [&] { free_->close(); });
    const auto name = [this](std::size_t i) { return others_.name(i); };
    reader_.emplace(*disk_, *input_, format_, share_begin(), share_end(), memory.longest);
    weir::run(
        weir::farm(weir::source(reader{this}).blocking().named("read") |
                       weir::farm(weir::node(sorter(*this)), by_.workers).on_demand().blocking().named("sort"),
                   groups())
                .named("share")
                .in_group(name) |
            weir::farm(weir::sink(store{this}), groups()).capacity(waiting).blocking().named("store").in_group(name),
        {.executor = by_.on_threads ? weir::executor::threads : weir::executor::pool,
         .workers = by_.workers,
         .pin = by_.pinned ? weir::pinning::on : weir::pinning::off,
         .stop = by_.stop,
         .member = member_});
    if (by_.stop.stop_requested()) throw interrupted();
    if (!open_.empty()) throw std::logic_error("an exchange has ended before all that was to come has");
    std::vector<run> all;
    for (auto& [from, one] : made_) all.push_back(std::move(one));
    return all;
  }

  // @return a chunk's slot; none: there are no more
  std::optional<std::size_t> read(const weir::context& at) {
    try {
      if (reader_->is_at_end()) {
        reached_ = share_end();
        return std::nullopt;
      }
      const auto slot = free_->take_unless([&] { return at.stop_requested(); });
      if (slot) chunks_[*slot] = reader_->next(memory_->chunks[*slot]);
      return slot;
    } catch (const bad_record&) {
      problem_ = std::current_exception();
      if constexpr (!record_finder<Format>::guesses) return std::nullopt;
      // It may only be the next share that does not begin where it was thought to.
      std::array<std::byte, 3 * page> some;
      const std::size_t unaligned = reinterpret_cast<std::uintptr_t>(some.data()) % page;
      record_finder<Format> finder(*disk_, *input_, format_, size_,
                                   std::span(some).subspan(page - unaligned, 2 * page));
      const auto next = finder.behind(reader_->place());
      if (next && *next > share_end()) reached_ = *next;
      return std::nullopt;
    }
  }

  struct part {
    std::uint64_t at, end;     // in the order
    std::uint64_t inside = 0;  // bytes of the record at `at` that have gone already
    std::uint64_t sent = 0;
    sample_places samples;
    std::uint64_t records = 0;
    std::uint64_t longest = 0;
    record_view last;  // with `unique`
    bool is_done = false;
  };

  void sort_and_send(std::size_t slot, chunk_sorter<Format>& by, weir::outlet<piece>& out) {
    const chunk& of = chunks_[slot];
    by.sort(of.begin, of.known, of.words);
    std::vector<part> parts;
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i != groups(); ++i) {
      std::uint64_t end = of.words.size();
      if (i < ranges_.size()) {
        end = static_cast<std::uint64_t>(
            std::partition_point(of.words.begin() + static_cast<std::ptrdiff_t>(begin), of.words.end(),
                                 [&](std::uint64_t word) {
                                   const std::uint64_t offset = by.offset_in(word);
                                   return is_before(record_of(of, offset), of.place + offset, ranges_[i]);
                                 }) -
            of.words.begin());
      }
      parts.push_back({.at = begin,
                       .end = end,
                       .samples = {memory_->sample_distance, of.number * groups() + own_},
                       .last = {},
                       .is_done = begin == end});
      begin = end;
    }
    // Some for each in turn, so that no group waits for another one's.
    for (std::size_t left = groups(); left != 0;) {
      left = 0;
      for (std::size_t i = 1; i <= groups(); ++i) {
        const std::size_t to = (own_ + i) % groups();
        if (parts[to].is_done) continue;
        piece next = take(of, by, parts[to]);
        if (to != own_) sent_ += next.bytes.size();
        out.send_to(to, std::move(next));
        if (!parts[to].is_done) ++left;
      }
    }
    (*sorted_)(of);
  }

  record_view record_of(const chunk& of, std::uint64_t offset) const {
    return {of.begin + offset, static_cast<std::size_t>(format_.size_of(of.begin + offset, of.known.bytes - offset))};
  }

  piece take(const chunk& of, const chunk_sorter<Format>& by, part& from) {
    constexpr std::size_t ahead = 12;
    weir::buffer bytes(memory_->item);
    std::byte* to = bytes.writable().data();
    std::byte* const end = to + memory_->item;
    piece made{.source = own_, .chunk = of.number, .samples = {}, .bytes = {}};
    while (from.at != from.end && to != end) {
      if (from.at + ahead < from.end) __builtin_prefetch(of.begin + by.offset_in(of.words[from.at + ahead]));
      const record_view record = record_of(of, by.offset_in(of.words[from.at]));
      if (from.inside == 0) {
        if (is_unique_) {
          if (!from.last.empty() && format_.compare(from.last, record) == 0) {
            ++from.at;
            continue;
          }
          from.last = record;
        }
        if (from.samples.take(from.sent))
          made.samples.push_back({format_.word(record.data(), {}), from.sent, from.records});
        ++from.records;
        from.longest = std::max<std::uint64_t>(from.longest, record.size());
      }
      const std::size_t left = record.size() - from.inside;
      if (from.inside == 0 && static_cast<std::size_t>(end - to) >= left + record_slack) {
        record_writer::copy(to, record.data(), left);
        to += left;
        from.sent += left;
        ++from.at;
        continue;
      }
      const std::size_t some = std::min(left, static_cast<std::size_t>(end - to));
      std::memcpy(to, record.data() + from.inside, some);
      to += some;
      from.sent += some;
      from.inside = some == left ? 0 : from.inside + some;
      if (from.inside == 0) ++from.at;
    }
    made.bytes = std::move(bytes).slice(0, static_cast<std::size_t>(to - (end - memory_->item)));
    if (from.at == from.end) {
      from.is_done = made.is_last = true;
      made.records = from.records;
      made.longest = from.longest;
    }
    return made;
  }

  struct open_run {
    run made = {};
    run_output* by = nullptr;
    record_writer* to = nullptr;
  };

  void write(const piece& some) {
    const std::pair from(some.source, some.chunk);
    open_run& of = open_[from];
    if (of.by == nullptr) {
      if (unused_.empty()) throw std::logic_error("more chunks come at once than there are workers");
      of.by = unused_.back();
      unused_.pop_back();
      of.to = &of.by->begin();
    }
    of.to->add_exactly(some.bytes.bytes());
    of.made.size += some.bytes.size();
    of.made.samples.insert(of.made.samples.end(), some.samples.begin(), some.samples.end());
    if (!some.is_last) return;
    of.made.records = some.records;
    of.made.longest = some.longest;
    of.by->end(of.made);
    unused_.push_back(of.by);
    if (of.made.size != 0) made_.emplace(from, std::move(of.made));
    open_.erase(from);
  }

  // Whether all shares begin where the ones before end; else they are others now. @throws bad_record
  bool agree() {
    enum : std::uint64_t { good, again, bad };
    const numbers verdict = others_.reduced_numbers(
        [&] {
          return numbers{{reached_, problem_ != nullptr && reached_ == unknown_place ? 1U : 0U}};
        },
        [&](const std::vector<numbers>& each) {
          std::vector<std::uint64_t> begins = begins_;
          for (std::size_t i = 0; i != groups(); ++i) {
            if (each[i].values[1] != 0) return numbers{{bad, i}};
            if (own_input_ || i + 1 == groups() || begins_[i + 1] == each[i].values[0]) continue;
            begins[i + 1] = each[i].values[0];
            for (std::size_t k = i + 2; k < groups(); ++k) begins[k] = std::max(begins[k], begins[k - 1]);
            begins.insert(begins.begin(), again);
            return numbers{begins};
          }
          return numbers{{good}};
        });
    if (verdict.values[0] == good) return true;
    if (verdict.values[0] == bad) {
      others_.reduced_numbers(
          [&]() -> numbers {
            if (verdict.values[1] == own_) std::rethrow_exception(problem_);
            return {};
          },
          [](const std::vector<numbers>&) { return numbers{}; });
      throw std::logic_error("a share that makes no sense was taken for a good one");
    }
    begins_.assign(verdict.values.begin() + 1, verdict.values.end());
    return false;
  }

  const peers& others_;
  std::size_t own_;
  weir::group_member* member_;
  bool own_input_;
  Format format_;
  engine_options by_;
  bool is_unique_;
  disk_queue* disk_ = nullptr;
  const file* input_ = nullptr;
  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> begins_;  // of the shares of one file
  std::uint64_t for_samples_ = 0;      // bytes, of each group
  std::vector<splitter> ranges_;       // but the first: where they begin
  std::atomic<std::uint64_t> sent_ = 0;
  std::size_t exchanges_ = 0;

  // Of a run of the network:
  exchange_memory* memory_ = nullptr;
  const std::function<void(const chunk&)>* sorted_ = nullptr;
  std::optional<chunk_reader<Format>> reader_;
  std::optional<free_slots> free_;
  std::vector<chunk> chunks_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, open_run> open_;  // by source and chunk
  std::map<std::pair<std::uint64_t, std::uint64_t>, run> made_;
  std::vector<run_output*> unused_;
  std::uint64_t reached_ = unknown_place;  // the first record that was not read
  std::exception_ptr problem_;
};

}  // namespace extsort
