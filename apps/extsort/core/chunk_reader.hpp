// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"
#include "record_writer.hpp"
#include "sort_chunk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

namespace extsort {

/// Records that follow each other in the input, in memory that has room for a word for each of them behind.
struct chunk {
  std::uint64_t number = 0;
  std::uint64_t place = 0;  ///< of the first, in the input
  std::byte* begin = nullptr;
  survey known;
  std::uint64_t last = 0;  ///< where the last record begins, in bytes from `begin`
  std::span<std::uint64_t> words;
};

/// A record that can't be sorted: its place, and what is wrong with it.
class bad_record : public std::runtime_error {
 public:
  bad_record(const std::string& file, std::uint64_t place, const std::string& what);
};

/// It is longer than memory for it.
class record_too_long : public bad_record {
 public:
  using bad_record::bad_record;
};

/// How much of a part of the memory for a chunk its records may take, so that there is room for their words: `bytes_per_record` is what they took so far.
std::size_t room_for_records(std::size_t size, double bytes_per_record) noexcept;

/// Cuts a file, or a part of it, into chunks of whole records. For one thread at a time.
template <class Format>
class chunk_reader {
 public:
  /// @param end of the part, at the beginning of a record, or that of the file @param longest record that can be sorted in the end
  chunk_reader(disk_queue& disk, const file& from, const Format& format, std::uint64_t begin, std::uint64_t end,
               std::uint64_t longest = std::numeric_limits<std::uint64_t>::max())
      : disk_(&disk), from_(&from), format_(format), at_(begin), end_(end), longest_(longest) {}

  bool is_at_end() const noexcept { return at_ == end_; }
  /// Where the next record begins.
  std::uint64_t place() const noexcept { return at_; }

  /// Fills `memory`, which begins at a page, with the next records.
  /// @throws record_too_long if one does not fit, or is too long later @throws bad_record if the file ends within one @throws std::system_error if the file can't be read
  chunk next(std::span<std::byte> memory) {
    const std::uint64_t place = rounded_down(at_);
    const std::uint64_t wanted = largest(place, memory.size(), bytes_per_record_);
    reading_ = {memory.first(wanted), place};
    chunk made{
        .number = number_, .place = at_, .begin = memory.data() + (at_ - place), .known = {}, .last = 0, .words = {}};
    try {
      look_at(made, memory.size());
    } catch (...) {
      for (transfer& each : pieces_) disk_->abandon(each);
      throw;
    }
    // The next one may be many times longer than those before, and have all of the memory for itself.
    if (made.known.records == 0 && wanted < largest(place, memory.size(), one_record)) {
      bytes_per_record_ = one_record;
      return next(memory);
    }
    if (made.known.records == 0) {
      const std::uint64_t size = format_.size_of(made.begin, reading_.there - (at_ - place));
      if (reading_.there == rounded_up(end_) - place || place + reading_.there >= end_)
        throw bad_record(from_->name(), at_, fmt::format("is cut off: {} bytes of it are there", end_ - at_));
      throw record_too_long(from_->name(), at_,
                            fmt::format("has {} bytes or more, which is more than fits into memory", size));
    }
    if (made.known.longest > longest_) refuse_longest(made);
    made.words = words_behind(memory, made.known.records);
    bytes_per_record_ = static_cast<double>(made.known.bytes) / static_cast<double>(made.known.records);
    at_ = std::min(at_ + made.known.bytes, end_);
    ++number_;
    return made;
  }

 private:
  void refuse_longest(const chunk& in) const {
    std::uint64_t offset = 0, size = 0;
    while ((size = format_.size_of(in.begin + offset, in.known.bytes - offset)) <= longest_) offset += size;
    throw record_too_long(
        from_->name(), in.place + offset,
        fmt::format("has {} bytes, and two of them do not fit into memory to be merged; more memory is needed", size));
  }

  static constexpr std::size_t piece = std::size_t{1} << 20;
  static constexpr std::size_t at_a_time = 4;
  static constexpr double one_record = 1e18;  // bytes

  // Of what is read at a time.
  std::uint64_t largest(std::uint64_t place, std::size_t memory, double bytes_per_record) const noexcept {
    return std::min(rounded_up(end_) - place, rounded_down(room_for_records(memory, bytes_per_record)));
  }

  static std::span<std::uint64_t> words_behind(std::span<std::byte> memory, std::uint64_t records) {
    const std::size_t bytes = records * sizeof(std::uint64_t);
    return {reinterpret_cast<std::uint64_t*>(memory.data() + memory.size() - bytes), records};
  }

  void begin_piece() {
    transfer& next = pieces_[(reading_.begun / piece) % at_a_time];
    const std::size_t size = std::min(piece, reading_.to.size() - reading_.begun);
    disk_->read(next, *from_, reading_.place + reading_.begun, reading_.to.data() + reading_.begun, size);
    reading_.begun += size;
  }
  // One more piece is there. @return false: there are no more
  bool take_piece() {
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

  // For one more record: for its word behind those of the others, and for what may be read behind it.
  static bool has_room(std::uint64_t before, const survey& known, std::uint64_t size, std::size_t memory) noexcept {
    return before + known.bytes + size + record_slack + (known.records + 1) * sizeof(std::uint64_t) <= memory;
  }

  void look_at(chunk& made, std::size_t memory) {
    survey known;
    const std::uint64_t before = at_ - reading_.place;
    while (take_piece()) {
      const std::uint64_t there = reading_.there - before;
      while (true) {
        const std::byte* const at = made.begin + known.bytes;
        const std::uint64_t available = there - known.bytes;
        const std::uint64_t size = format_.size_of(at, available);
        if (available == 0 || size > available) break;
        if (!has_room(before, known, size, memory)) {
          // They will be read again, but what has failed is told now.
          for (transfer& each : pieces_) {
            if (each.is_under_way()) disk_->finish(each);
          }
          made.known = known;
          return;
        }
        made.last = known.bytes;
        known.add(format_, at, size);
      }
    }
    if constexpr (requires { Format::end; }) {
      const std::uint64_t there = reading_.there - before;
      const std::uint64_t size = there + 1 - known.bytes;
      if (reading_.place + reading_.there == end_ && size != 1 && has_room(before, known, size, memory)) {
        made.begin[there] = Format::end;
        made.last = known.bytes;
        known.add(format_, made.begin + known.bytes, size);
      }
    }
    made.known = known;
  }

  struct under_way {
    std::span<std::byte> to;
    std::uint64_t place = 0;  // of the first byte, in the file
    std::uint64_t begun = 0;  // bytes
    std::uint64_t there = 0;
  };

  disk_queue* disk_;
  const file* from_;
  Format format_;
  std::uint64_t at_;
  std::uint64_t end_;
  std::uint64_t longest_;
  std::uint64_t number_ = 0;
  double bytes_per_record_ = 64;
  under_way reading_;
  std::array<transfer, at_a_time> pieces_;
};

}  // namespace extsort
