// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "records.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace extsort {

/// Returns a place in `seen` at which a record begins, as far as can be told; none: there is none.
/// `seen` begins at byte `place` of the file.
/// @param at_end the file ends with `seen`
inline std::optional<std::uint64_t> find_record(const fixed_records& format, std::uint64_t place,
                                                std::span<const std::byte> seen, bool) {
  const std::uint64_t at = (place + format.size - 1) / format.size * format.size - place;
  return at <= seen.size() ? std::optional(at) : std::nullopt;
}

/// Finds the first record that does not begin at `place`, for a format whose records end with a
/// byte that is nowhere else in them.
template <class Format>
  requires requires { Format::end; }
std::optional<std::uint64_t> find_record(const Format& format, std::uint64_t, std::span<const std::byte> seen,
                                         bool at_end) {
  const std::uint64_t size = format.size_of(seen.data(), seen.size());
  if (size <= seen.size()) return size;
  return at_end ? std::optional<std::uint64_t>(seen.size()) : std::nullopt;
}

/// Finds a record of S, whose records have only a length. A sequence of lengths from any place soon
/// meets the true sequence, or comes to a length that makes no sense. The sequence that most places
/// lead to is therefore the true one, unless the file is made to deceive.
std::optional<std::uint64_t> find_record(const binary_records& format, std::uint64_t place,
                                         std::span<const std::byte> seen, bool at_end);

}  // namespace extsort
