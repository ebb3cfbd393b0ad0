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

/// Words of one counter's share, as one splitter has seen them so far.
struct share {
  std::size_t counter;
  std::vector<entry> words;
  totals read{};  ///< what these words stem from, as far as no other share has it

  template <class Archive>
  void serialize(Archive& archive) {
    archive(counter, words, read);
  }
};

using counts = absl::flat_hash_map<std::string, std::uint64_t>;

/// Splits blocks into words and counts those of many blocks before it sends their counts on, each
/// word to the counter that counts all of its kind: so the few words that make up most of a text
/// cross a channel rarely.
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

/// Adds up what the splitters send, and ranks its words at the end.
class counter {
 public:
  /// @param most how many words to rank; 0: all
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
