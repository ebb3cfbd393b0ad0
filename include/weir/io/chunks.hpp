// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/export.hpp"
#include "weir/io/file_names.hpp"
#include "weir/item/buffer.hpp"

#include <cstddef>

namespace weir {

/// Default size of a chunk of a file, in bytes.
inline constexpr std::size_t default_chunk_bytes = std::size_t{256} * 1024;

/// A source of the bytes of files, in buffers of `bytes` each; the last buffer of a file is
/// shorter. Files are opened and decompressed, and errors reported, as by `lines`.
///
/// If one node takes the chunks, at most 16 chunks exist at a time. If several nodes share them,
/// their distribution policy, or `.capacity`, sets the limit.
/// @throws graph_error if `bytes` is 0 or negative
WEIR_API block<void, buffer> chunks(file_names files, std::size_t bytes = default_chunk_bytes);

/// As above, but each chunk consists of whole lines with their `\n`, about `bytes` together: more
/// if a single line is longer, fewer if a pipe has no more data at the moment. The last line of a
/// file may lack its `\n`. No chunk spans two files.
WEIR_API block<void, buffer> line_chunks(file_names files, std::size_t bytes = default_chunk_bytes);

}  // namespace weir
