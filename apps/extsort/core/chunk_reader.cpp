// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "chunk_reader.hpp"

#include "support/output.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace extsort {
namespace {

constexpr std::size_t piece = std::size_t{1} << 20;
constexpr double one_record = 1e18;    // bytes
constexpr double usual_spread = 0.98;  // the next records may be a little smaller

// Returns how much of the memory for a chunk its records may take, so that there is room for their
// words. `bytes_per_record` is the mean of the records so far.
std::size_t room_for_records(std::size_t size, double bytes_per_record) noexcept {
  const double share = bytes_per_record / (bytes_per_record + sizeof(std::uint64_t));
  return std::max(page, static_cast<std::size_t>(static_cast<double>(size - page) * share * usual_spread));
}

}  // namespace

bad_record::bad_record(const std::string& file, std::uint64_t place, const std::string& what)
    : std::runtime_error(fmt::format("{}: the record at byte {} {}", weir::support::quoted_name(file), place, what)) {}

std::size_t chunk_memory(std::uint64_t record) noexcept {
  return static_cast<std::size_t>(static_cast<double>(record) / usual_spread) + 4 * page;
}

chunk chunk_reader::next(std::span<std::byte> memory) {
  if (memory.size() < 4 * page)
    throw too_little_memory(fmt::format("{} bytes of memory are too few for records; raise -m", memory.size()));
  const std::uint64_t place = rounded_down(at_);
  const std::uint64_t wanted = largest(place, memory.size(), bytes_per_record_);
  reading_ = {memory.first(wanted), place};
  chunk made{.number = number_,
             .place = at_,
             .memory = memory,
             .begin = memory.data() + (at_ - place),
             .known = {},
             .words = {}};
  try {
    look_at(made, memory.size());
  } catch (...) {
    for (transfer& each : pieces_) disk_->abandon(each);
    throw;
  }
  // The next record may be much longer than those before, and gets all of the memory.
  if (made.known.records == 0 && wanted < largest(place, memory.size(), one_record)) {
    bytes_per_record_ = one_record;
    return next(memory);
  }
  if (made.known.records == 0) {
    const std::uint64_t size = rules_->size_of(made.begin, reading_.there - (at_ - place));
    if (reading_.there == rounded_up(end_) - place || place + reading_.there >= end_)
      throw bad_record(from_->name(), at_, fmt::format("is cut off: {} bytes of it are there", end_ - at_));
    throw record_too_long(from_->name(), at_,
                          fmt::format("has {} bytes or more, which is more than fits into memory; raise -m", size));
  }
  if (made.known.longest > longest_) refuse_longest(made);
  made.words = words_behind(memory, made.known.records);
  bytes_per_record_ = static_cast<double>(made.known.bytes) / static_cast<double>(made.known.records);
  at_ = std::min(at_ + made.known.bytes, end_);
  ++number_;
  return made;
}

void chunk_reader::refuse_longest(const chunk& in) const {
  std::uint64_t offset = 0, size = 0;
  while ((size = rules_->size_of(in.begin + offset, in.known.bytes - offset)) <= longest_) offset += size;
  throw record_too_long(
      from_->name(), in.place + offset,
      fmt::format("has {} bytes, and two of them do not fit into memory to be merged; raise -m", size));
}

// Returns the most bytes to read for a chunk.
std::uint64_t chunk_reader::largest(std::uint64_t place, std::size_t memory, double bytes_per_record) const noexcept {
  return std::min(rounded_up(end_) - place, rounded_down(room_for_records(memory, bytes_per_record)));
}

void chunk_reader::begin_piece() {
  transfer& next = pieces_[(reading_.begun / piece) % at_a_time];
  const std::size_t size = std::min(piece, reading_.to.size() - reading_.begun);
  disk_->read(next, *from_, reading_.place + reading_.begun, reading_.to.data() + reading_.begun, size);
  reading_.begun += size;
}

// Waits for one more piece. @return false: there are no more
bool chunk_reader::take_piece() {
  while (reading_.begun != reading_.to.size() && reading_.begun < reading_.there + piece * at_a_time) begin_piece();
  if (reading_.there == reading_.begun || reading_.place + reading_.there >= end_) return false;
  const std::size_t expected = std::min(piece, reading_.to.size() - reading_.there);
  const std::size_t got = disk_->finish(pieces_[(reading_.there / piece) % at_a_time]);
  reading_.there += got;
  if (got < expected && reading_.place + reading_.there < end_)
    throw bad_record(from_->name(), reading_.place + reading_.there, "is gone: the file has become shorter");
  reading_.there = std::min<std::uint64_t>(reading_.there, end_ - reading_.place);
  return true;
}

void chunk_reader::look_at(chunk& made, std::size_t memory) {
  const std::uint64_t before = at_ - reading_.place;
  while (take_piece()) {
    if (rules_->add_records(made.known, made.begin, reading_.there - before, memory - before)) continue;
    // The remaining pieces will be read again, but their errors are reported now.
    for (transfer& each : pieces_) {
      if (each.is_under_way()) disk_->finish(each);
    }
    return;
  }
  const std::uint64_t there = reading_.there - before;
  if (!rules_->end() || reading_.place + reading_.there != end_ || made.known.bytes == there) return;
  if (before + there == memory) return;
  made.begin[there] = *rules_->end();
  rules_->add_records(made.known, made.begin, there + 1, memory - before);
}

}  // namespace extsort
