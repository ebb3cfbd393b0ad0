// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"
#include "weir/io/write_lines.hpp"
#include "weir/item/buffer.hpp"

namespace weir {

/// A sink that writes the bytes of each item to a file, one item after the other. Files are handled
/// as by `write_lines`.
WEIR_API block<buffer, void> write_chunks(std::string path, write_options options = {});

}  // namespace weir
