// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.hpp"
#include "outcome.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace filesearch {

/// A file to be searched.
struct found_file {
  std::string path;
  bool named = false;  ///< as an argument, not found in a directory
};

using batch = std::vector<found_file>;

/// The source: the files that are named, and the regular files in directories where those are to be searched, in batches. The
/// first ones are small, so that few files also keep all searchers busy.
///
/// Links that are named are followed; those met inside a directory are not, so no file is found twice and a circle of links can't
/// trap it. Sorted, the files of a directory and of those in it come in the order of their names' bytes.
class walk {
 public:
  /// @param chosen,found must outlive the run
  walk(const options& chosen, outcome& found) : chosen_(&chosen), found_(&found) {}

  void start();
  std::optional<batch> next();

 private:
  struct entry {
    std::string path;
    bool directory;
  };

  std::optional<found_file> next_file();
  std::optional<found_file> named_file(const std::string& root);
  void list(const std::string& directory);

  const options* chosen_;
  outcome* found_;
  std::size_t next_root_ = 0;
  std::size_t files_ = 0;
  std::vector<entry> pending_;  // the next one is the last
  std::vector<entry> listed_;
};

}  // namespace filesearch
