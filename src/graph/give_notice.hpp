// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace weir::detail {

/// Says whether a notice on standard error may wait for its reader.
enum class notice_wait : std::uint8_t {
  allowed,
  never,  ///< drops the notice if the reader has stopped reading
};

/// Gives a notice to the handler of the program (`set_notice_handler`). All output of the library
/// that nobody has asked for goes through this function; `scripts/check_layers.py` refuses any
/// other. Any thread may call it. Does not use stdio, whose lock a node may hold.
/// @param parts the text, in parts that are put together; no `weir: ` in front, no line end
void give_notice(std::initializer_list<std::string_view> parts, notice_wait wait = notice_wait::allowed) noexcept;

/// Prints a notice on standard error without the handler, and drops it if that would wait. For a
/// forked child that has come back from code of a user: the handler may wait for a lock that
/// another thread of the parent held, and the reader may be the parent, which waits for the child.
void print_notice(std::initializer_list<std::string_view> parts) noexcept;

}  // namespace weir::detail
