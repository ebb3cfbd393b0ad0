// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace extsort {

/// A file that has its name only once it is complete. Until then it has none, so that nothing is
/// left of it whatever becomes of the process; where a file system has no such files, one that
/// begins with a dot.
class output_file {
 public:
  /// @param name `-`: a file that never has one, in `directory`
  /// @param is_shared other processes are going to open it, too: it has another name meanwhile
  /// @throws std::system_error
  output_file(const std::string& name, bool direct, const std::string& directory = ".", bool is_shared = false);
  struct existing {};
  /// One that another process has made. @param unfinished its name so far
  output_file(existing, const std::string& name, const std::string& unfinished, bool direct);
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// Its name until it is published; empty: it has none.
  const std::string& unfinished() const noexcept { return unfinished_.name; }
  /// Leaves it to the process that has made it.
  void leave() noexcept { unfinished_.name.clear(); }

  const file& whole_pages() const noexcept { return direct_; }
  /// The same through the page cache.
  const file& edges() const noexcept { return edges_; }
  /// Gives it a size.
  /// @return whether its space on the disk is taken now: not every file system can do that
  /// beforehand
  /// @throws std::system_error
  bool allocate(std::uint64_t size);
  /// Writes its first bytes. @throws std::system_error
  void write_at_begin(std::string_view bytes);
  /// Waits until all that was written is on the disk. @throws std::system_error
  void secure();
  /// Ends it there, and does that.
  void complete(std::uint64_t size);
  /// Gives it its name: another file of that name is replaced, of which it has owner, permissions
  /// and other attributes; and a link's target, not the link.
  /// @throws std::system_error; then nothing has changed under its name
  void publish();
  /// All that the file that is replaced has, and this one has not; empty: nothing.
  std::string lost() const;

 private:
  void open_past_cache(int descriptor, bool direct);

  std::string name_;
  std::string folder_;
  // Its name so far, if it has one: it goes with this.
  struct unfinished_name {
    std::string name;
    ~unfinished_name();
  };
  unfinished_name unfinished_;
  std::vector<std::string> lost_;
  file direct_;
  file edges_;
};

}  // namespace extsort
