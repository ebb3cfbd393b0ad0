// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/io_context.hpp>

namespace weir::io {

/// Returns the event loop in which this process waits for descriptors and sockets: one thread,
/// started at the first use, which sleeps while there are no events. It runs handlers one at a
/// time; they must be short. A forked child has a loop of its own: nothing in it may use or destroy
/// what belongs to the parent's.
/// @throws std::system_error if no thread can be started
asio::io_context& events();

}  // namespace weir::io
