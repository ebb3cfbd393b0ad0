// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/io/file_names.hpp"
#include "weir/item/buffer.hpp"

#include <cstddef>

namespace weir {

/// What a chunk of a file has in bytes if nothing else is said.
inline constexpr std::size_t default_chunk_bytes = std::size_t{256} * 1024;

/// A source of the bytes of files, in buffers of `bytes` each; the last one of a file is shorter.
/// Files are opened, decompressed and refused as those of `lines`.
///
/// Where one node takes them, no more than 16 chunks are under way at a time. Where several share
/// them, their policy says how many, or `.capacity`.
/// @throws graph_error if `bytes` is 0
block<void, buffer> chunks(file_names files, std::size_t bytes = default_chunk_bytes);

/// As above, but each chunk is a number of whole lines with their `\n`, about `bytes` together:
/// more if a single line is longer, fewer where a pipe has no more now. The last line of a file may
/// lack its `\n`; no chunk spans two files.
block<void, buffer> line_chunks(file_names files, std::size_t bytes = default_chunk_bytes);

}  // namespace weir
