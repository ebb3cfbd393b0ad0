// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <functional>
#include <string_view>

namespace weir {

/// Takes one notice: a line of text without `weir: ` in front and without a line end.
using notice_handler = std::function<void(std::string_view text)>;

/// Sets the function that takes the notices of the library. A notice tells of an event that is no
/// error of a run, such as a trace that can't be written, or a group whose items make no progress.
/// Without a handler, each notice is a line `weir: …` on standard error. One goes there always:
/// that of a forked child that ends because it has come back from a node, a piece of `fork_join` or
/// `on_waiting`. The library prints nothing else.
///
/// **Thread safety.** Any thread may call this function at any time, also from within a handler.
/// Any thread may give a notice, so several may call the handler at the same time. It may be the
/// thread that sends the heartbeats of a group, or the thread of a coordinator. So a handler should
/// return soon, and must not call a coordinator.
/// **Lifetime.** The library keeps the handler until another one is set; it is never destroyed at
/// the end of the process. A call that has begun before the handler is replaced may end after
/// `set_notice_handler` has returned, so a handler should own what it uses.
/// **Errors.** If the handler throws, the exception is dropped, and the notice goes to standard
/// error if there is room for it.
/// @param handler empty: standard error again
/// @return the former handler; empty if it was standard error
WEIR_API notice_handler set_notice_handler(notice_handler handler);

}  // namespace weir
