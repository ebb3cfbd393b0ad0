// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chunk.hpp"
#include "find_record.hpp"
#include "numbered_records.hpp"
#include "record_format.hpp"

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace extsort {

/// A format with a virtual interface, for code that is the same for all formats. Each call is a
/// virtual call, so loops over all records of a file use the format itself. Any number of threads
/// may call.
class record_rules {
 public:
  virtual ~record_rules() = default;

  /// The function `size_of` of the format, see records.hpp.
  virtual std::uint64_t size_of(const std::byte* at, std::uint64_t available) const noexcept = 0;
  /// The function `compare` of the format.
  virtual std::strong_ordering compare(record_view a, record_view b) const = 0;
  /// Compares by the keys alone.
  virtual std::strong_ordering compare_keys(record_view a, record_view b) const = 0;
  /// Whether every key has just one word.
  virtual bool words_decide() const noexcept = 0;
};

/// The rules of a format that the records of an input may have.
class input_rules : public record_rules {
 public:
  /// Adds records at `begin` to `known`, as long as they are there as a whole.
  /// @param there bytes that are in memory
  /// @param room bytes of memory for the records, for a word of each, and for `record_slack`
  /// @return false: the next record is there, and has no room
  virtual bool add_records(survey& known, const std::byte* begin, std::uint64_t there, std::uint64_t room) const = 0;
  /// Returns the byte that ends a record, which the last record of a file may lack.
  virtual std::optional<std::byte> end() const noexcept = 0;
  /// See find_record.hpp.
  virtual std::optional<std::uint64_t> find(std::uint64_t place, std::span<const std::byte> seen,
                                            bool at_end) const = 0;
  /// Whether `find` may return a place where no record begins.
  virtual bool guesses() const noexcept = 0;
};

/// The rules of a format.
template <class Format, class Rules = record_rules>
class rules_of : public Rules {
 public:
  explicit rules_of(const Format& format) : format_(format) {}

  std::uint64_t size_of(const std::byte* at, std::uint64_t available) const noexcept override {
    return format_.size_of(at, available);
  }
  std::strong_ordering compare(record_view a, record_view b) const override { return format_.compare(a, b); }
  std::strong_ordering compare_keys(record_view a, record_view b) const override {
    return extsort::compare_keys(format_, a, b);
  }
  bool words_decide() const noexcept override { return Format::words_decide; }

 protected:
  Format format_;
};

/// The rules of a format of an input.
template <class Format>
class input_rules_of final : public rules_of<Format, input_rules> {
 public:
  using rules_of<Format, input_rules>::rules_of;

  bool add_records(survey& known, const std::byte* begin, std::uint64_t there, std::uint64_t room) const override {
    survey all = known;  // a copy, which stays in registers
    bool has_room = true;
    while (all.bytes != there) {
      const std::byte* const at = begin + all.bytes;
      const std::uint64_t available = there - all.bytes;
      const std::uint64_t size = extsort::size_of(this->format_, at, available, all.begun);
      if (size > available) {
        all.begun = available;
        break;
      }
      has_room = all.bytes + size + record_slack + (all.records + 1) * sizeof(std::uint64_t) <= room;
      if (!has_room) break;
      all.add(this->format_, at, size);
    }
    known = all;
    return has_room;
  }
  std::optional<std::byte> end() const noexcept override {
    if constexpr (requires { Format::end; }) return Format::end;
    return std::nullopt;
  }
  std::optional<std::uint64_t> find(std::uint64_t place, std::span<const std::byte> seen, bool at_end) const override {
    return find_record(this->format_, place, seen, at_end);
  }
  bool guesses() const noexcept override { return std::same_as<Format, binary_records>; }
};

/// Makes the rules for records of an input.
std::unique_ptr<const input_rules> rules_of_input(const record_format& format);
/// Makes the rules for records of runs of that input. @param numbered whether they are
/// `numbered_records`
std::unique_ptr<const record_rules> rules_of_runs(const record_format& format, bool numbered);

}  // namespace extsort
