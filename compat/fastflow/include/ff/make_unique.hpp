// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_MAKE_UNIQUE_HPP
#define WEIR_FF_MAKE_UNIQUE_HPP

#include <ff/utils.hpp>

#endif
