// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/handshake.hpp"

// Alone in this file, so that a test can make a program of another version: a definition of its own
// takes the place of this one.
const std::uint16_t weir::cluster::protocol_version = 6;
