// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "chunk_reader.hpp"

#include "support/output.hpp"

namespace extsort {

bad_record::bad_record(const std::string& file, std::uint64_t place, const std::string& what)
    : std::runtime_error(fmt::format("{}: the record at byte {} {}", weir::support::quoted_name(file), place, what)) {}

std::size_t room_for_records(std::size_t size, double bytes_per_record) noexcept {
  constexpr double usual_spread = 0.98;  // the next records may be a little smaller
  const double share = bytes_per_record / (bytes_per_record + sizeof(std::uint64_t));
  return std::max(page, static_cast<std::size_t>(static_cast<double>(size - page) * share * usual_spread));
}

}  // namespace extsort
