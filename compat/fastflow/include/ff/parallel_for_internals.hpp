// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_PARALLEL_FOR_INTERNALS_HPP
#define WEIR_FF_PARALLEL_FOR_INTERNALS_HPP

// The macros of FastFlow's loops are where its classes are.

#include <ff/parallel_for.hpp>

#endif
