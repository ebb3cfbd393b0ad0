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
  /// @param size that it is going to have, for which there is to be room @throws std::system_error
  output_file(const std::string& name, std::uint64_t size, bool direct);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  const file& whole_pages() const noexcept { return direct_; }
  /// The same through the page cache.
  const file& edges() const noexcept { return edges_; }
  /// Gives it its name: another file of that name is replaced, which keeps its permissions, and a link's target, not the link.
  /// @param size if it has become another @throws std::system_error; then nothing has changed under its name
  void publish(std::uint64_t size);

 private:
  std::string name_;
  std::string unfinished_;  // its name so far, if it has one
  file direct_;
  file edges_;
};

}  // namespace extsort
