// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reader.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace wordcount {

/// A word and how often it was seen.
using entry = std::pair<std::string, std::uint64_t>;

/// Words that one counter, or all of them, have counted: the most frequent ones in order, and sums
/// over all.
struct ranking {
  std::vector<entry> most;     ///< by count, the highest first; equal counts in the order of their bytes
  std::uint64_t words = 0;     ///< counted in all
  std::uint64_t distinct = 0;  ///< different ones among them
  totals read;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(most, words, distinct, read);
  }
};

/// A line for each of the most frequent words: its count, and itself.
std::string as_text(const ranking& found);

/// One JSON object. Bytes that are no UTF-8 can't stand in JSON: there they are U+FFFD, as
/// everywhere.
std::string as_json(const ranking& found, double seconds);

}  // namespace wordcount
