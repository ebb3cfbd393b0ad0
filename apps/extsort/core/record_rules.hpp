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

/// A format for code that is the same for all of them. Each call costs a virtual one: loops over
/// all records of a file know the format itself. Any number of threads may call.
class record_rules {
 public:
  virtual ~record_rules() = default;

  /// As in a format, see records.hpp.
  virtual std::uint64_t size_of(const std::byte* at, std::uint64_t available) const noexcept = 0;
  /// Likewise.
  virtual std::strong_ordering compare(record_view a, record_view b) const = 0;
  /// By their keys alone.
  virtual std::strong_ordering compare_keys(record_view a, record_view b) const = 0;
  /// Whether the first word is all there is of a key.
  virtual bool words_decide() const noexcept = 0;
};

/// The same for a format that records of an input may have.
class input_rules : public record_rules {
 public:
  /// Adds records at `begin` to those that are known, as long as they are there as a whole.
  /// @param there bytes
  /// @param room bytes of memory, for them, for a word of each, and for what may be read behind
  /// them
  /// @return false: the next one is there, and has no room
  virtual bool add_records(survey& known, const std::byte* begin, std::uint64_t there, std::uint64_t room) const = 0;
  /// The byte that ends a record, and that the last one of a file may lack.
  virtual std::optional<std::byte> end() const noexcept = 0;
  /// See find_record.hpp.
  virtual std::optional<std::uint64_t> find(std::uint64_t place, std::span<const std::byte> seen,
                                            bool at_end) const = 0;
  /// Whether what is found may be no record.
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
    survey all = known;  // in registers
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

/// The rules for records of an input.
std::unique_ptr<const input_rules> rules_of_input(const record_format& format);
/// The rules for records of runs of such an input. @param numbered as `numbered_records`
std::unique_ptr<const record_rules> rules_of_runs(const record_format& format, bool numbered);

}  // namespace extsort
