// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/export.hpp"

#include <string>

namespace weir {

/// Format in which a sink compresses what it writes to a file.
enum class compression { none, gzip, zstd };

/// Options of `write_lines` and `write_chunks`.
struct write_options {
  compression compress = compression::none;
  int level = 0;  ///< 0: the default of the library; otherwise 1 to 9 for gzip, 1 to 22 for zstd
};

/// A sink that writes each item and a `\n` to a file; `-` is standard output.
///
/// A regular file gets its name, or its new contents, only when the node's input has ended. Until
/// then the data is in a file beside it with another name, which is removed if the run fails or is
/// cancelled. The new file has the permissions of the old one, but no other attributes of it: it
/// belongs to the user of this process, has no access control list and no extended attributes, and
/// other names of the old file (hard links) keep the old contents. If the name is a link, the file
/// to which it leads is replaced, not the link. Devices, pipes, files under /dev and /proc, and
/// standard output are written as the items arrive; if they accept no data, no thread is held, and
/// `cancel` ends the wait.
///
/// A file that can't be opened or written is a `node_error` that names the file and the reason.
/// Each run writes the file anew. One node writes one file: two nodes with the same file name
/// replace each other's file.
/// @throws std::invalid_argument if there is no such level
WEIR_API block<std::string, void> write_lines(std::string path, write_options options = {});

}  // namespace weir
