// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The explorer: runs a few threads of lock-free code through all their interleavings and all the
/// values that C++ lets them read, within bounds (see `options`), and reports the first execution
/// that goes wrong, operation by operation. `memory` says what of C++ is modelled. The code under
/// exploration is a template over its atomics, so it is the code that ships. Not for ASan and TSan
/// builds, which don't know its fibers.

#include "atomics.hpp"
#include "mutants.hpp"
#include "schedule.hpp"
#include "tracked.hpp"
