// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/weir.hpp>

#include "matcher.hpp"
#include "options.hpp"
#include "outcome.hpp"
#include "walk.hpp"

#include <sys/stat.h>

#include <cstddef>
#include <shared_mutex>
#include <string>
#include <vector>

namespace filesearch {

class file_search;

/// Text to be written: what was found in a batch of files, or a part of it, if that is much.
struct findings {
  std::string text;
  std::size_t searcher;  ///< which one found it
  bool continues;        ///< what this searcher sends next belongs to the same file
  bool continued;        ///< it goes on where the findings before of this searcher have ended
};

/// Searches files. While what it finds in one file is sent in parts, it holds `turn` alone, so that what others find meanwhile
/// waits with them, and not in the memory of the writer.
class searcher {
 public:
  /// @param chosen,found,turn must outlive the run
  searcher(const options& chosen, outcome& found, std::shared_mutex& turn)
      : chosen_(&chosen), found_(&found), turn_(&turn), matcher_(chosen.what) {}

  void process(batch files, weir::outlet<findings>& out, weir::context& where);

 private:
  class sending;

  void search(const found_file& file, sending& to);
  void conclude(const file_search& searched, const std::string& name, std::string& out);
  bool is_wanted(const std::string& path, bool directory) const;
  bool is_output(const struct stat& file);

  const options* chosen_;
  outcome* found_;
  std::shared_mutex* turn_;
  matcher matcher_;
  std::vector<char> buffer_;
  bool output_known_ = false;
  bool output_is_file_ = false;
  struct stat output_ {};
};

}  // namespace filesearch
