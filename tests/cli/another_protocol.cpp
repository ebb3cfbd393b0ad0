// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A program with this file speaks a version of the cluster's protocol that weir does not have.

#include "cluster/wire/handshake.hpp"

const std::uint16_t weir::cluster::protocol_version = 60'000;
