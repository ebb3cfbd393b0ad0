// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace weir::detail {

/// A file that is written from its beginning, compressed with gzip if its name ends in `.gz`. One
/// thread.
class output_file {
 public:
  /// Opens and empties the file. @throws std::system_error with the reason; graph_error if the name
  /// ends in `.gz` and this build has no zlib
  explicit output_file(const std::string& name);
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file();

  /// @return 0, or errno
  int write(std::string_view text) noexcept;
  /// Ends the file; the first call only. @return 0, or errno
  int close() noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace weir::detail
