// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"

#include <string>

namespace weir {

enum class compression { none, gzip, zstd };

struct write_options {
  compression compress = compression::none;
  int level = 0;  ///< 0: the library's own choice; otherwise 1 to 9 for gzip, 1 to 22 for zstd
};

/// A sink that writes each item and a `\n` to a file; `-` is standard output.
///
/// A regular file has its name, or its new contents, only once the node's input has ended: until
/// then what is written stands beside it under another name, which is removed if the run fails or
/// is cancelled. The new file has the permissions of the old one, and where a link leads is
/// replaced, not the link. Devices, pipes, what is under /dev and /proc, and standard output are
/// written as the items come; if they don't take any, no thread is held, and `cancel` ends the
/// wait.
///
/// What can't be opened or written is a `node_error` that names the file and what is wrong. Each
/// run writes the file anew. One node writes one file: two that are given the same name replace
/// each other's.
/// @throws std::invalid_argument if there is no such level
block<std::string, void> write_lines(std::string path, write_options options = {});

}  // namespace weir
