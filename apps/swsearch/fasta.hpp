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
  std::string name;         ///< first word behind `>`
  std::string description;  ///< rest of the line
  std::vector<residue> residues;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, description, residues);
  }
};

/// Counts of input that was accepted but may not be as intended.
struct fasta_doubts {
  std::uint64_t unknown = 0;  ///< letters that stand for no residue, read as the unknown residue
  std::uint64_t digits = 0;   ///< digits among residues, which are left out
  std::uint64_t unnamed = 0;  ///< sequences without a name behind `>`, called "unnamed"
};

/// Parses sequences from text in FASTA format that arrives in parts. Blanks, `-` and `.` among
/// residues are left out, and so are lines that begin with `;`. Lines may end with CR LF, and the
/// text may begin with the byte order mark of UTF-8.
class fasta_parser {
 public:
  /// @param file the name in error messages @param strict whether doubtful input is an error
  /// @param take gets each sequence once it is complete
  fasta_parser(const alphabet& letters, std::string file, bool strict, std::function<void(sequence)> take);

  /// @throws std::invalid_argument "file:line: what is wrong"
  void add(std::string_view part);
  /// Lets `complaint` check each name before its sequence is read.
  /// @param complaint returns what is wrong with a name; empty: nothing
  void check_names(std::function<std::string(const std::string& name)> complaint) { complaint_ = std::move(complaint); }
  /// Ends the text. @throws as `add`
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
  std::optional<std::string> beginning_ = "";  // first bytes of the text, until its format is known
};

}  // namespace swsearch
