// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/item/cereal.hpp>
#include <weir/weir.hpp>

#include "ranking.hpp"
#include "reader.hpp"
#include "words.hpp"

#include <absl/container/flat_hash_map.h>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wordcount {

/// Words for one counter, with the counts of one splitter so far.
struct share {
  std::size_t counter;
  std::vector<entry> words;
  totals read{};  ///< the input of these words, unless another share has counted it

  template <class Archive>
  void serialize(Archive& archive) {
    archive(counter, words, read);
  }
};

using counts = absl::flat_hash_map<std::string, std::uint64_t>;

/// Splits blocks into words, and counts the words of many blocks before it sends their counts, each
/// word to the counter for that word. The few words that make up most of a text therefore cross a
/// channel rarely.
class splitter {
 public:
  explicit splitter(bool ignore_case, word_kind words = word_kind::bytes) : ignore_case_(ignore_case), words_(words) {}

  void process(text_block block, weir::outlet<share>& out);
  void finish(weir::outlet<share>& out);

 private:
  bool ignore_case_;
  word_kind words_;
  counts seen_;
  totals read_;
};

/// Adds up the counts of the splitters, and ranks its words at the end.
class counter {
 public:
  /// @param most number of words to rank; 0: all
  explicit counter(std::size_t most) : most_(most) {}

  void process(share part, weir::outlet<ranking>&);
  void finish(weir::outlet<ranking>& out);

 private:
  std::size_t most_;
  counts seen_;
  totals read_;
};

/// Adds a counter's ranking to the sum of those before it.
void merge(ranking& sum, ranking part, std::size_t most);

}  // namespace wordcount
