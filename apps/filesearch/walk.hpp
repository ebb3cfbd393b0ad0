// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/item/cereal.hpp>
#include <weir/weir.hpp>

#include "ignore_rules.hpp"
#include "options.hpp"
#include "outcome.hpp"

#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace filesearch {

/// A file to be searched.
struct found_file {
  std::string path;
  bool named = false;                    ///< as an argument, not found in a directory
  std::optional<std::string> text = {};  ///< what is in it, if it could not be read elsewhere

  template <class Archive>
  void serialize(Archive& archive) {
    archive(path, named, text);
  }
};

/// Files to be searched, by whoever takes them.
struct batch {
  std::vector<found_file> files;
  std::string directory;    ///< where paths that are not absolute begin; empty: that is not known
  bool file_names = false;  ///< whether the lines found in them get the name of their file
  outcome found = {};       ///< by the walk, since the batch before

  template <class Archive>
  void serialize(Archive& archive) {
    archive(files, directory, file_names, found);
  }
};

/// The source: the files that are named, and the regular files in directories where those are to be
/// searched, in batches. The first ones are small, so that few files also keep all searchers busy.
///
/// Links that are named are followed; those met inside a directory are not, unless that is asked
/// for: then a directory is not searched inside of itself, so that a circle of links can't trap it.
/// Sorted, the files of a directory and of those in it come in the order of their names' bytes.
class walk {
 public:
  /// Standard input that other processes shall search is read here, up to so many bytes.
  static constexpr std::size_t largest_input = std::size_t{48} << 20;

  /// @param chosen must outlive the run
  /// @param for_others whether searchers may be in other processes, which have not our standard
  /// input
  explicit walk(const options& chosen, bool for_others = false) : chosen_(&chosen), for_others_(for_others) {}

  void start();
  std::optional<batch> next();

 private:
  // A directory that is walked, which those in it refer to.
  struct folder {
    std::shared_ptr<const folder> around;  // none for one that was named
    std::string prefix;                    // of the paths of what is in it
    dev_t device;
    ino_t inode;
    ignore_rules ignored;
  };
  using folders = std::shared_ptr<const folder>;
  struct entry {
    std::string path;
    bool directory;
    folders around;  // of a directory
  };

  std::optional<found_file> next_file();
  std::optional<found_file> named_file(const std::string& root);
  std::optional<found_file> standard_input();
  void list(const std::string& directory, folders around);
  std::optional<unsigned char> type_of(const std::string& path, unsigned char listed);
  bool takes(const std::string& name, const entry& one, const folder& in) const;
  ignore_rules read_rules(const std::string& path);

  const options* chosen_;
  bool for_others_;
  bool file_names_ = false;
  std::string directory_;
  outcome found_;  // since the last batch
  std::size_t next_root_ = 0;
  std::size_t files_ = 0;
  std::vector<entry> pending_;  // the next one is the last
  std::vector<entry> listed_;
};

}  // namespace filesearch
