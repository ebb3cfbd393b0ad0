// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_ORDERING_POLICIES_HPP
#define WEIR_FF_ORDERING_POLICIES_HPP

// Farms keep the order by themselves: see ff_farm::set_ordered.

#include <ff/farm.hpp>

#endif
