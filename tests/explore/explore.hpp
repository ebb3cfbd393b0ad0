// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The explorer. It runs a few threads of lock-free code through all their interleavings and all
/// the values that C++ lets them read, within bounds (see `options`), and reports the first
/// execution that fails, operation by operation. `memory` documents the part of the C++ memory
/// model that is modelled. The code under exploration is a template over its atomics, so the
/// shipped code itself is explored. Not for ASan and TSan builds, which don't support its fibers.

#include "atomics.hpp"
#include "mutants.hpp"
#include "schedule.hpp"
#include "tracked.hpp"
