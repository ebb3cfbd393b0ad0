// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine.hpp"

namespace weir {
class group_member;
}

namespace extsort {

/// The groups of a cluster that sort together.
struct sort_groups {
  weir::group_member* member = nullptr;  ///< null: there are no groups, this process sorts alone
  bool own_input = false;                ///< each group has its own file; false: all share one
  bool own_output = false;               ///< likewise
  engine_options by = {};                ///< for the network of the exchange
};

}  // namespace extsort
