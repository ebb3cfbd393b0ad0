// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/io/file_names.hpp"

#include <string>

namespace weir {

/// A source of the lines of a file, or of several one after the other; `-` is standard input.
///
///     weir::lines("corpus.txt") | …            weir::lines({"a.txt", "b.txt.gz"}) | …
///
/// Lines end with `\n`, which is not part of the item (a `\r` before it is), and at the end of a
/// file. What gzip or zstd compressed is recognised by its first bytes and decompressed, also where
/// several members or frames follow each other. Files are opened when the run comes to them, the
/// first at its start. Pipes and terminals that have nothing to read hold no thread; `drain` and
/// `cancel` end that wait. `drain` leaves unread what it finds unread.
///
/// What can't be opened, read or decompressed is a `node_error` that names the file and what is
/// wrong. Each run reads anew, except from pipes.
block<void, std::string> lines(file_names files);

}  // namespace weir
