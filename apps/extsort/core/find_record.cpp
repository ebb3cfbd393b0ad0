// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "find_record.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

namespace extsort {

std::optional<std::uint64_t> find_record(const binary_records& format, std::uint64_t, std::span<const std::byte> seen,
                                         bool at_end) {
  // A few bytes at the end of the file are too few for a guess.
  constexpr std::size_t least_seen = 4096;
  if (at_end && seen.size() < least_seen) return seen.size();
  // A place counts as a record if those that follow it are no longer than this share of the bytes
  // seen.
  constexpr std::uint32_t least_links = 4;
  const std::uint64_t longest = seen.size() / least_links;
  const std::uint64_t half = seen.size() / 2, begins = seen.size() / 4;
  constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
  // For each place, the place that the sequence from it leads to: the first record of the second
  // half, if the sequence goes on to the end.
  std::vector<std::uint32_t> leads_to(seen.size() + 1, nowhere);
  leads_to[seen.size()] = static_cast<std::uint32_t>(seen.size());
  for (std::uint64_t at = seen.size(); at-- != 0;) {
    const std::uint64_t size = format.size_of(seen.data() + at, seen.size() - at);
    if (seen.size() - at < binary_records::head) {
      if (!at_end) leads_to[at] = static_cast<std::uint32_t>(at);
    } else if (size > longest && !(at_end && at + size == seen.size())) {
      continue;
    } else if (at + size > seen.size()) {
      if (!at_end) leads_to[at] = static_cast<std::uint32_t>(at);
    } else if (leads_to[at + size] != nowhere) {
      leads_to[at] = at >= half ? static_cast<std::uint32_t>(at) : leads_to[at + size];
    }
  }
  std::map<std::uint32_t, std::uint64_t> votes;
  for (std::uint64_t at = 0; at <= begins; ++at)
    if (leads_to[at] != nowhere) ++votes[leads_to[at]];
  const auto most = std::ranges::max_element(votes, {}, [](const auto& each) { return each.second; });
  return most == votes.end() ? std::nullopt : std::optional<std::uint64_t>(most->first);
}

}  // namespace extsort
