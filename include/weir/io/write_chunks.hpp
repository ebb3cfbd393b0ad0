// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/io/write_lines.hpp"
#include "weir/item/buffer.hpp"

namespace weir {

/// A sink that writes the bytes of each item to a file, one after the other, as `write_lines` does
/// its lines.
block<buffer, void> write_chunks(std::string path, write_options options = {});

}  // namespace weir
