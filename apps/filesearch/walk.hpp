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
  bool named = false;                    ///< given as an argument, not found in a directory
  std::optional<std::string> text = {};  ///< contents, if they can't be read by the searcher

  template <class Archive>
  void serialize(Archive& archive) {
    archive(path, named, text);
  }
};

/// Files for one searcher.
struct batch {
  std::vector<found_file> files;
  std::string directory;    ///< the folder that relative paths begin in; empty: not known
  bool file_names = false;  ///< whether lines get the name of their file
  outcome found = {};       ///< counts of the walk since the batch before

  template <class Archive>
  void serialize(Archive& archive) {
    archive(files, directory, file_names, found);
  }
};

/// The source. It produces batches of the files that are named, and of the regular files in
/// directories if these are searched. The first batches are small, which keeps all searchers busy
/// even with few files.
///
/// Links that are named are followed. Links inside a directory are followed only if requested; a
/// directory is then not searched inside of itself, which prevents endless circles of links. With
/// `sorted`, the files of a directory and of its subdirectories come in the order of their names'
/// bytes.
class walk {
 public:
  /// Most bytes of standard input that are read here for searchers in other processes.
  static constexpr std::size_t largest_input = std::size_t{48} << 20;

  /// @param chosen must outlive the run
  /// @param for_others whether searchers may be in other processes, which do not have this
  /// process's standard input
  explicit walk(const options& chosen, bool for_others = false) : chosen_(&chosen), for_others_(for_others) {}

  void start();
  std::optional<batch> next();

 private:
  // A directory of the walk, referred to by the entries inside of it.
  struct folder {
    std::shared_ptr<const folder> around;  // the directory around it; none for a named one
    std::string prefix;                    // of the paths of its entries
    dev_t device;
    ino_t inode;
    ignore_rules ignored;
  };
  using folders = std::shared_ptr<const folder>;
  struct directory_entry {
    std::string path;
    bool directory;
    folders around;  // for a directory
  };

  std::optional<found_file> next_file();
  std::optional<found_file> named_file(const std::string& root);
  std::optional<found_file> standard_input();
  void list(const std::string& directory, folders around);
  std::optional<unsigned char> type_of(const std::string& path, unsigned char listed);
  bool takes(const std::string& name, const directory_entry& one, const folder& in) const;
  ignore_rules read_rules(const std::string& path);

  const options* chosen_;
  bool for_others_;
  bool file_names_ = false;
  std::string directory_;
  outcome found_;  // counts since the last batch
  std::size_t next_root_ = 0;
  std::size_t files_ = 0;
  std::vector<directory_entry> pending_;  // the last one comes next
  std::vector<directory_entry> listed_;
};

}  // namespace filesearch
