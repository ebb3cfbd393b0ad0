// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "records.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace extsort {

/// A place in `seen`, which begins at byte `place` of the file, at which a record begins; none, as
/// far as can be told.
/// @param at_end the file ends with them
inline std::optional<std::uint64_t> find_record(const fixed_records& format, std::uint64_t place,
                                                std::span<const std::byte> seen, bool) {
  const std::uint64_t at = (place + format.size - 1) / format.size * format.size - place;
  return at <= seen.size() ? std::optional(at) : std::nullopt;
}

/// Any format whose records have an end that is nowhere else. The first of them that does not begin
/// at `place`.
template <class Format>
  requires requires { Format::end; }
std::optional<std::uint64_t> find_record(const Format& format, std::uint64_t, std::span<const std::byte> seen,
                                         bool at_end) {
  const std::uint64_t size = format.size_of(seen.data(), seen.size());
  if (size <= seen.size()) return size;
  return at_end ? std::optional<std::uint64_t>(seen.size()) : std::nullopt;
}

/// S's records say only how long they are. Wherever one begins to follow lengths, one soon follows
/// the true ones, or comes to one that makes no sense; so that on which most agree is the true one,
/// unless the file has been made to deceive.
std::optional<std::uint64_t> find_record(const binary_records& format, std::uint64_t place,
                                         std::span<const std::byte> seen, bool at_end);

}  // namespace extsort
