// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/weir.hpp>

#include "matcher.hpp"
#include "options.hpp"
#include "outcome.hpp"
#include "shared_reading.hpp"
#include "walk.hpp"

#include <sys/stat.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace filesearch {

class file_search;

/// Text to be written: the findings in a batch of files, or a part of them if they are long.
struct findings {
  std::string text;
  std::size_t searcher;      ///< index of the searcher that found it
  bool continues;            ///< the next findings of this searcher belong to the same file
  bool continued;            ///< this text continues the findings that this searcher sent before
  outcome found = {};        ///< counts since the findings that this searcher sent before
  std::string message = {};  ///< a line about the file, for standard error, printed after the text

  template <class Archive>
  void serialize(Archive& archive) {
    archive(text, searcher, continues, continued, found, message);
  }
};

/// State shared by the searchers of one process.
struct fellows {
  std::shared_mutex turn;           ///< see `searcher`
  std::atomic<bool> enough{false};  ///< set when no more files need to be searched
};

/// Searches files. While the findings in one file are sent in parts, the searcher holds `turn`
/// exclusively. The other searchers of this process then wait with their findings, which would
/// otherwise fill the memory of the writer.
class searcher {
 public:
  /// @param others must outlive the run
  searcher(const options& chosen, fellows& others)
      : chosen_(chosen),
        others_(&others),
        matcher_(chosen.what),
        shared_(chosen.what, chosen.binary != binary_files::text && !chosen.style.nul_ends) {}

  void start();

  void process(batch files, weir::outlet<findings>& out, weir::context& where);

 private:
  class sending;
  class input;
  struct block;

  void search(found_file& file, const std::string& folder, sending& to, const weir::context& where);
  block read(input& from, std::size_t used);
  void read_together(input& from, std::size_t used, const std::function<bool(block)>& take);
  void conclude(const file_search& searched, const std::string& name, sending& to);
  bool is_over(const weir::context& where) const;
  bool is_wanted(const std::string& path, bool directory) const;
  bool is_output(const struct stat& file);

  options chosen_;
  fellows* others_;
  matcher matcher_;
  shared_reading shared_;
  std::string working_directory_;
  std::vector<char> buffer_;
  bool output_known_ = false;
  bool output_is_file_ = false;
  struct stat output_ {};
};

}  // namespace filesearch
