// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/export.hpp"
#include "weir/io/file_names.hpp"

#include <string>

namespace weir {

/// A source of the lines of a file, or of several one after the other; `-` is standard input.
///
///     weir::lines("corpus.txt") | …            weir::lines({"a.txt", "b.txt.gz"}) | …
///
/// Lines end with `\n`, which is not part of the item (a `\r` before it is), and at the end of a
/// file. Data compressed by gzip or zstd is recognised by its first bytes and decompressed, even if
/// several members or frames follow each other. Files are opened when the run reaches them, the
/// first at the start of the run. A pipe or terminal without data holds no thread; `drain` and
/// `cancel` end the wait for data. `drain` leaves the rest of the input unread.
///
/// A file that can't be opened, read or decompressed is a `node_error` that names the file and the
/// reason. Each run reads the files again, except pipes.
WEIR_API block<void, std::string> lines(file_names files);

}  // namespace weir
