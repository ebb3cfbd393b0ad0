// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"

#include <cstdint>
#include <string>

namespace extsort {

/// A file that has its name only once it is complete. Until then it has none, so that nothing is left of it whatever becomes of the process; where a file system has no such files, one that begins
/// with a dot.
class output_file {
 public:
  /// @param name `-`: a file that never has one, in `directory` @throws std::system_error
  output_file(const std::string& name, bool direct, const std::string& directory = ".");
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  const file& whole_pages() const noexcept { return direct_; }
  /// The same through the page cache.
  const file& edges() const noexcept { return edges_; }
  /// Gives it a size. @return whether its space on the disk is taken now: not every file system can do that beforehand @throws std::system_error
  bool allocate(std::uint64_t size);
  /// Ends it there, and waits until it is on the disk. @throws std::system_error
  void complete(std::uint64_t size);
  /// Gives it its name: another file of that name is replaced, which keeps its permissions, and a link's target, not the link.
  /// @throws std::system_error; then nothing has changed under its name
  void publish();

 private:
  std::string name_;
  std::string folder_;
  // Its name so far, if it has one: it goes with this.
  struct unfinished_name {
    std::string name;
    ~unfinished_name();
  };
  unfinished_name unfinished_;
  file direct_;
  file edges_;
};

}  // namespace extsort
