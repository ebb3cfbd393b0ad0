// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <string>

namespace weir::detail {

/// Returns the folder with the sockets of this user's programs that can be watched (`weir top`):
/// `$XDG_RUNTIME_DIR/weir`, or `/tmp/weir-<user id>` if that variable is not set. Creates the
/// folder if it does not exist; only its owner may read it.
///
/// The environment variable WEIR_TOP says where a program listens: `1` means this folder; a folder
/// means that folder; in both cases the socket is `<process id>.sock`. Any other value is the
/// socket itself.
/// @throws std::runtime_error if the folder can't be made, belongs to another user, or is open to
/// others
WEIR_API std::string live_view_folder();

}  // namespace weir::detail
