// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace extsort {

/// A file that gets its name only once it is complete. Until then it has no name, so none is left
/// when the process ends in any way; on a file system without such files, its name begins with a
/// dot.
class output_file {
 public:
  /// @param name `-`: the file never gets a name; it is in `directory`
  /// @param is_shared other processes are going to open it, too: it has another name meanwhile
  /// @throws std::system_error
  output_file(const std::string& name, bool direct, const std::string& directory = ".", bool is_shared = false);
  struct existing {};
  /// Opens a file that another process has made. @param unfinished its present name
  output_file(existing, const std::string& name, const std::string& unfinished, bool direct);
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  /// Returns the name until it is published; empty: it has none.
  const std::string& unfinished() const noexcept { return unfinished_.name; }
  /// Leaves the file to the process that has made it.
  void leave() noexcept { unfinished_.name.clear(); }

  const file& whole_pages() const noexcept { return direct_; }
  /// Returns the same file through the page cache.
  const file& edges() const noexcept { return edges_; }
  /// Sets the size of the file.
  /// @return whether its disk space is allocated now: not every file system can do that in advance
  /// @throws std::system_error
  bool allocate(std::uint64_t size);
  /// Writes the first bytes of the file. @throws std::system_error
  void write_at_begin(std::string_view bytes);
  /// Waits until all written bytes are on the disk. @throws std::system_error
  void secure();
  /// Sets the final size, and then does the same as `secure`.
  void complete(std::uint64_t size);
  /// Gives the file its name. It replaces another file of that name, and gets the owner,
  /// permissions and other attributes of that file; of a link the target is replaced, not the link.
  /// @throws std::system_error; then the file under that name is unchanged
  void publish();
  /// Returns the attributes of the replaced file that this one lacks; empty: none.
  std::string lost() const;

 private:
  void open_past_cache(int descriptor, bool direct);

  std::string name_;
  std::string folder_;
  // The present name, if there is one; its destructor removes the file.
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
