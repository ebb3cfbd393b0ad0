// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace weir::cluster {

// The keys that a configuration may contain. docs/cluster.schema.json describes all of them.

inline const std::vector<std::string> keys_of_a_configuration{
    "$schema",   "protocol", "groups", "plan",      "heartbeat",        "dead_after",    "start_within",
    "transport", "links",    "tls",    "checksums", "reconnect_within", "stalled_after", "builds"};
inline const std::vector<std::string> keys_of_a_link{"groups", "transport"};
inline const std::vector<std::string> keys_of_tls{"certificate", "key", "authorities"};
inline const std::vector<std::string> keys_of_a_group{
    "name",          "endpoint",           "nodes", "batch_size",    "batchSize",   "frames_under_way", "messageOTF",
    "channel_items", "internalMessageOTF", "cores", "threadMapping", "pre_command", "preCmd",           "environment",
    "batchByteSize", "includedNodes",      "OConn"};

// Variables that weir run sets for each group. "environment" can't have them.
inline const std::vector<std::string> variables_of_groups{"WEIR_GROUP", "WEIR_CLUSTER", "WEIR_COORDINATOR",
                                                          "WEIR_SECRET", "WEIR_SECRET_FILE"};

}  // namespace weir::cluster
