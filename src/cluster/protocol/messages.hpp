// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The messages between a group and the coordinator. Each has a struct, and one description of its
// fields, which messages.cpp uses to write and to read it. On the wire a message is a control frame
// that contains a JSON object. The value of "say" is the name of its struct; the other keys are its
// fields. A field that is missing, or has a wrong type, is a protocol_error.

#include "cluster/protocol/message_name.hpp"
#include "cluster/protocol/to_coordinator.hpp"
#include "cluster/protocol/to_group.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <variant>

namespace weir::cluster {

namespace to_coordinator {
using any = std::variant<here, misfit, ready, quiet, noted, compared, answered, failed, lost, cancel, drain, still,
                         standstill, time, trace, traced, sampled, report, done>;
}  // namespace to_coordinator

namespace to_group {
using any = std::variant<welcome, go, time, note, compare, ask, close, stop, cancel, drain, signal, standstill,
                         end_some, sample, report, end>;
}  // namespace to_group

/// Writes a message for the wire. Bytes of texts that are not UTF-8 are replaced.
std::string wire_text(const to_coordinator::any& message);
std::string wire_text(const to_group::any& message);

/// Reads a message. @throws protocol_error if the text is no message; names the wrong field
to_coordinator::any read_by_coordinator(std::span<const std::byte> text);
to_group::any read_by_group(std::span<const std::byte> text);

}  // namespace weir::cluster
