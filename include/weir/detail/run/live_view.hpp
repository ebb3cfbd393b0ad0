// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weir {

/// The folder with the sockets of the programs of this user that can be watched (`weir top`):
/// `$XDG_RUNTIME_DIR/weir`, or `/tmp/weir-<user id>` where that variable is not set. Makes it if it
/// is not there; only its owner may look into it.
///
/// A program listens where the environment variable WEIR_TOP says so: `1`, in this folder; a
/// folder, in that one, both as `<process id>.sock`; else WEIR_TOP is the socket itself.
/// @throws std::runtime_error if it can't be made, belongs to another user, or is open to others
std::string live_view_folder();

}  // namespace weir
