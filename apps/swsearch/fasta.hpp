// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "residues.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace swsearch {

struct sequence {
  std::string name;         ///< the first word behind `>`
  std::string description;  ///< the rest of that line
  std::vector<residue> residues;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, description, residues);
  }
};

/// Counts of what was taken as it may not have been meant.
struct fasta_doubts {
  std::uint64_t unknown = 0;  ///< letters that stand for no residue, taken for the unknown one
  std::uint64_t digits = 0;   ///< among residues, left out
  std::uint64_t unnamed = 0;  ///< sequences behind a `>` without a name, called "unnamed"
};

/// Makes sequences of text in FASTA format that comes in parts. Blanks, `-` and `.` among residues
/// are left out, and so are lines that begin with `;`. Lines may end with CR LF, and the text may
/// begin with the mark of UTF-8.
class fasta_parser {
 public:
  /// @param file that errors name @param strict what is a doubt otherwise is an error
  /// @param take gets each sequence once it is complete
  fasta_parser(const alphabet& letters, std::string file, bool strict, std::function<void(sequence)> take);

  /// @throws std::invalid_argument "file:line: what is wrong"
  void add(std::string_view part);
  /// Has each name looked at before its sequence is read.
  /// @param complaint what is wrong with it; empty: nothing
  void check_names(std::function<std::string(const std::string& name)> complaint) { complaint_ = std::move(complaint); }
  /// There is no more. @throws likewise
  void end();

  const fasta_doubts& doubts() const noexcept { return doubts_; }

 private:
  enum class place { line_begin, header, residues, comment };

  void take_beginning();
  void add_text(std::string_view part);
  void add_residues(std::string_view part);
  void begin_sequence();
  void end_header();
  std::invalid_argument wrong(const std::string& what) const;

  const alphabet* letters_;
  std::string file_;
  bool strict_;
  std::function<void(sequence)> take_;
  std::function<std::string(const std::string& name)> complaint_;
  place place_ = place::line_begin;
  std::size_t line_ = 1;
  bool has_sequence_ = false;
  std::string header_;
  sequence present_;
  fasta_doubts doubts_;
  std::optional<std::string> beginning_ = "";  // of the text, until it is known what it is
};

}  // namespace swsearch
