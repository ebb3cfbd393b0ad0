// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/basic_turn.hpp"

namespace weir::detail {

template class basic_turn<native_atomics>;

}  // namespace weir::detail
