// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "database.hpp"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace swsearch {

// Instrumented kernels are some 30 times slower, and have no threads.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_slow = true;
#else
inline constexpr bool is_slow = false;
#endif

inline std::vector<residue> residues(std::string_view text, const alphabet& letters = alphabet::protein()) {
  std::vector<residue> made;
  for (const char each : text) made.push_back(letters.code_of(each));
  return made;
}

/// @param kinds the residues are the first `kinds` letters
inline std::vector<residue> random_residues(std::mt19937& random, std::size_t length, unsigned kinds = 20) {
  std::vector<residue> made(length);
  for (residue& each : made) each = static_cast<residue>(random() % kinds);
  return made;
}

/// Returns a similar sequence: residues are exchanged, left out and inserted, each with a chance of
/// one in `rare`.
inline std::vector<residue> mutated(std::mt19937& random, const std::vector<residue>& of, unsigned rare,
                                    unsigned kinds = 20) {
  std::vector<residue> made;
  for (const residue each : of) {
    if (random() % rare == 0) continue;
    if (random() % rare == 0) made.push_back(static_cast<residue>(random() % kinds));
    made.push_back(random() % rare == 0 ? static_cast<residue>(random() % kinds) : each);
  }
  return made;
}

/// The names of the sequences are `before` and their numbers.
inline database database_of(const std::vector<std::vector<residue>>& all, const std::string& before = "") {
  database_builder made;
  for (std::size_t i = 0; i != all.size(); ++i) made.add({before + std::to_string(i), "", all[i]});
  return made.finish(made.size());
}

inline std::string letters_of(const std::vector<residue>& of, const alphabet& letters = alphabet::protein()) {
  std::string made;
  for (const residue each : of) made += letters.letters()[each];
  return made;
}

}  // namespace swsearch
