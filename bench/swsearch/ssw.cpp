// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// SSW (Zhao, Lee, Garrison, Marth 2013), scores only: striped, SSE2, 8 bits and again with 16.
#include "inputs.hpp"

#include <ssw.h>

#include <array>

int main(int argc, char** argv) {
  using namespace swsearch;
  const sw_bench::arguments given(
      argc, argv, {{"query", ""}, {"database", ""}, {"gap-open", "10"}, {"gap-extend", "2"}, {"scores", ""}});
  const sw_bench::scheme scheme(given);
  std::array<std::int8_t, codes * codes> matrix{};
  for (std::size_t a = 0; a != codes; ++a) {
    for (std::size_t b = 0; b != codes; ++b) matrix[a * codes + b] = scheme.scores.row(static_cast<residue>(a))[b];
  }
  // In SSW, `open` is the cost of a gap's first residue.
  const auto open = static_cast<std::uint8_t>(scheme.gaps.open + scheme.gaps.extend);
  const auto extend = static_cast<std::uint8_t>(scheme.gaps.extend);
  return sw_bench::compare_all("ssw", given, [&](const auto& query, const auto& subjects) {
    const auto* const letters = reinterpret_cast<const std::int8_t*>(query.data());
    s_profile* const profile = ssw_init(letters, static_cast<std::int32_t>(query.size()), matrix.data(), codes, 2);
    std::vector<std::int64_t> scores;
    for (const sequence& each : subjects) {
      s_align* const found = ssw_align(profile, reinterpret_cast<const std::int8_t*>(each.residues.data()),
                                       static_cast<std::int32_t>(each.residues.size()), open, extend, 0, 0, 0, 15);
      scores.push_back(found->score1);
      align_destroy(found);
    }
    init_destroy(profile);
    return scores;
  });
}
