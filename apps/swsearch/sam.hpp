// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hit_format.hpp"
#include "residues.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>

// Hits as lines of SAM, by its specification: SAMv1 and SAMtags of the hts-specs.

namespace swsearch {

/// Names of queries, or of the database's sequences, that SAM allows: by its grammar, and each
/// once. Others would be read as something else, or not at all.
class sam_names {
 public:
  enum class of { queries, subjects };

  explicit sam_names(of which) : which_(which) {}

  /// @return what is wrong with the next name, and what to do; empty: nothing
  std::string complaint(std::string_view name);
  /// What is wrong with a sequence of the database of that length; empty: nothing.
  static std::string complaint_about_length(std::string_view name, std::size_t length);

 private:
  of which_;
  std::unordered_set<std::string> seen_;
};

/// The first line.
std::string_view sam_beginning();
/// The line of a sequence of the database.
void add_sam_subject(std::string& to, std::string_view name, std::size_t length);
/// The line of a hit as if it were the only one of its query: the part that is aligned, of the
/// strand that is; what lies around it is cut off. Of a hit without an alignment there is none.
void add_sam_hit(std::string& to, const hit_view& hit, const alphabet& letters);
/// Makes another hit of such a line: a query has one primary line.
void make_secondary(std::string& line);

}  // namespace swsearch
