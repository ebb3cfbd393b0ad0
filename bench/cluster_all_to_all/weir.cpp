// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "in_group.hpp"

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = all_to_all_options(argc, argv);
  weir::cluster_configuration groups;
  groups.transport = weir::link_transport::tcp;
  add_groups(groups, "L", given["senders"]);
  add_groups(groups, "R", given["receivers"]);
  const shared_value<all_to_all_outcome> outcome;
  in_groups(groups, given["hosts"],
            [&](weir::cluster_member& member) { all_to_all_in_group(given, member, *outcome); });
  print_all_to_all("weir", given, *outcome);
}
