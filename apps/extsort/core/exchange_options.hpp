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
  weir::group_member* member = nullptr;  ///< null: there are none, this process sorts alone
  bool own_input = false;                ///< each has a file of its own; else all share one
  bool own_output = false;               ///< likewise
  engine_options by = {};                ///< what runs the exchange
};

}  // namespace extsort
