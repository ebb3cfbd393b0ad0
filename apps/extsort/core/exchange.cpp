// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "exchange.hpp"

#include <weir/io/from.hpp>
#include <weir/item/buffer.hpp>
#include <weir/weir.hpp>

#include "exchange_items.hpp"
#include "memory_shares.hpp"
#include "record_finder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <stdexcept>

// The network that sorts chunks, and sends each group the records of its range.

namespace extsort {

// Reads the share of a group into memory that is free.
struct exchange::reader {
  exchange* of;
  bool is_at_end = false;
  void process(std::span<std::byte> free, weir::outlet<chunk>& full) {
    if (is_at_end) return;
    const std::optional<chunk> next = of->read(free);
    is_at_end = !next;
    if (next) full.send(*next);
  }
};

// Sorts chunks, and sends each group its records.
struct exchange::sorter {
  exchange* of;
  std::unique_ptr<chunk_parter> by;
  void process(const chunk& some, weir::outlet<piece>& out, weir::outlet<std::span<std::byte>>& free) {
    of->sort_and_send(some, *by, out);
    free.send(some.memory);
  }
};

// Writes the records of this group.
struct exchange::store {
  exchange* of;
  void process(const piece& some) { of->write(some); }
};

exchange::exchange(const peers& others, const sort_setup& setup, const input_rules& rules)
    : others_(others),
      own_(others.number()),
      member_(setup.groups.member),
      own_input_(setup.groups.own_input),
      format_(setup.format),
      rules_(rules),
      by_(setup.groups.by),
      is_unique_(setup.is_unique) {
  // About a twelfth of the memory is for records in transit.
  constexpr std::size_t least_piece = std::size_t{4} << 10, most_piece = std::size_t{256} << 10;
  piece_size_ = std::clamp(setup.memory / 12 / pieces(), least_piece, most_piece);
  const std::size_t writing = writers() * buffer_for(0);
  if (in_transit() + writing <= setup.memory / 2) return;
  throw too_little_memory(
      fmt::format("{} groups of {} threads need {} bytes of memory each to exchange records with each other, and have "
                  "{}: more memory is needed, or fewer threads",
                  groups(), by_.workers, 2 * (pieces() * least_piece + writing), setup.memory));
}

std::vector<run> exchange::run_all(exchange_memory& memory, const std::function<void()>& begins,
                                   const std::function<void(const chunk&)>& sorted) {
  while (true) {
    begins();
    std::vector<run> made = run_once(memory, sorted);
    if (agree()) return made;
    for (const run& each : made) temporary_space::give_back(each);
  }
}

std::vector<run> exchange::run_once(exchange_memory& memory, const std::function<void(const chunk&)>& sorted) {
  ++exchanges_;
  memory_ = &memory;
  sorted_ = &sorted;
  open_.clear();
  made_.clear();
  unused_.clear();
  for (run_output& each : memory.writing) unused_.push_back(&each);
  reached_ = unknown_place;
  problem_ = nullptr;
  const auto name = [this](std::size_t i) { return others_.name(i); };
  const auto make_sorter = [this] { return sorter{this, make_chunk_parter(format_, is_unique_)}; };
  reader_.emplace(*disk_, *input_, rules_, share_begin(), share_end(), memory.longest);
  const weir::report done = weir::run(
      weir::farm(weir::from(memory.chunks).named("memory") |
                     weir::feedback(weir::node(reader{this}).blocking().named("read") |
                                    weir::farm(make_sorter, by_.workers).on_demand().blocking().named("sort")),
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
  if (by_.told && done.in_result_group) by_.told(done);
  if (!open_.empty()) throw std::logic_error("an exchange has ended before all that was to come has");
  std::vector<run> all;
  for (auto& [from, one] : made_) all.push_back(std::move(one));
  return all;
}

// @return none: there are no more chunks
std::optional<chunk> exchange::read(std::span<std::byte> free) {
  try {
    if (!reader_->is_at_end()) return reader_->next(free);
    reached_ = share_end();
    return std::nullopt;
  } catch (const bad_record&) {
    problem_ = std::current_exception();
    if (rules_.guesses()) look_for_next_share();
    return std::nullopt;
  }
}

// Checks whether the record is good, and the next share just begins elsewhere than guessed.
void exchange::look_for_next_share() {
  std::array<std::byte, 3 * page> some;
  const std::size_t unaligned = reinterpret_cast<std::uintptr_t>(some.data()) % page;
  record_finder finder(*disk_, *input_, rules_, size_, std::span(some).subspan(page - unaligned, 2 * page));
  const auto next = finder.behind(reader_->place());
  if (next && *next > share_end()) reached_ = *next;
}

void exchange::sort_and_send(const chunk& of, chunk_parter& by, weir::outlet<piece>& out) {
  by.sort(of);
  std::vector<chunk_part> parts = parts_of(of, by);
  // Sends a piece to each group in turn, so that no group waits for the records of another.
  for (std::size_t left = groups(); left != 0;) {
    left = 0;
    for (std::size_t i = 1; i <= groups(); ++i) {
      const std::size_t to = (own_ + i) % groups();
      if (parts[to].is_done()) continue;
      piece next = taken(of, by, parts[to]);
      if (to != own_) sent_ += next.bytes.size();
      out.send_to(to, std::move(next));
      if (!parts[to].is_done()) ++left;
    }
  }
  (*sorted_)(of);
}

std::vector<chunk_part> exchange::parts_of(const chunk& of, const chunk_parter& by) const {
  std::vector<chunk_part> parts;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i != groups(); ++i) {
    std::uint64_t end = of.words.size();
    if (i < ranges_.size()) {
      const auto behind = std::views::iota(begin, end);
      const auto first = std::ranges::partition_point(behind, [&](std::uint64_t number) {
        const record_view record = by.record(of, number);
        return is_before(record, of.place + static_cast<std::uint64_t>(record.data() - of.begin), ranges_[i]);
      });
      end = begin + static_cast<std::uint64_t>(first - behind.begin());
    }
    parts.push_back(
        {.at = begin, .end = end, .samples = {memory_->sample_distance, of.number * groups() + own_}, .last = {}});
    begin = end;
  }
  return parts;
}

piece exchange::taken(const chunk& of, const chunk_parter& by, chunk_part& from) const {
  weir::buffer bytes(piece_size_);
  piece made{.source = own_, .chunk = of.number, .samples = {}, .bytes = {}};
  const std::size_t size = by.take(of, from, bytes.writable().first(piece_size_), made.samples);
  made.bytes = std::move(bytes).slice(0, size);
  if (from.is_done()) {
    made.is_last = true;
    made.records = from.records;
    made.longest = from.longest;
  }
  return made;
}

void exchange::write(const piece& some) {
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

}  // namespace extsort
