// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hit_format.hpp"
#include "residues.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>

// Writes hits as lines of SAM, by its specification: SAMv1 and SAMtags of the hts-specs.

namespace swsearch {

/// Checks that names of queries, or of the database's sequences, are allowed in SAM: by its
/// grammar, and only once each. Readers would misread other names, or reject them.
class sam_names {
 public:
  enum class of { queries, subjects };

  explicit sam_names(of which) : which_(which) {}

  /// @return what is wrong with the next name, and what to do; empty: nothing
  std::string complaint(std::string_view name);
  /// Returns what is wrong with a database sequence of that length; empty: nothing.
  static std::string complaint_about_length(std::string_view name, std::size_t length);

 private:
  of which_;
  std::unordered_set<std::string> seen_;
};

/// Returns the first line of the file.
std::string_view sam_beginning();
/// Appends the line of a sequence of the database.
void add_sam_subject(std::string& to, std::string_view name, std::size_t length);
/// Appends the line of a hit as if it were the only one of its query: the aligned part of the
/// aligned strand, with the rest of the strand cut off. Appends nothing for a hit without an
/// alignment.
void add_sam_hit(std::string& to, const hit_view& hit, const alphabet& letters);
/// Changes the line of a hit into that of a further hit: a query has only one primary line.
void make_secondary(std::string& line);

}  // namespace swsearch
