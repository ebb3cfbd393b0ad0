// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ports/basic_loop.hpp"

namespace weir::detail {

template class basic_loop<native_atomics, host>;

}  // namespace weir::detail
