// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reader.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace wordcount {

/// A word and its count.
using entry = std::pair<std::string, std::uint64_t>;

/// Words that one counter, or all counters, have counted: the most frequent ones in order, and
/// totals of all words.
struct ranking {
  std::vector<entry> most;     ///< sorted by count, the highest first; equal counts in the order of their bytes
  std::uint64_t words = 0;     ///< number of all words
  std::uint64_t distinct = 0;  ///< number of different words
  totals read;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(most, words, distinct, read);
  }
};

/// Returns a line for each of the most frequent words: its count, and the word.
std::string as_text(const ranking& found);

/// Returns one JSON object. Bytes that are not UTF-8 cannot be in JSON, and are replaced by U+FFFD,
/// as is usual.
std::string as_json(const ranking& found, double seconds);

}  // namespace wordcount
