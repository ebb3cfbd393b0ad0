// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/ports/in_port.hpp"

namespace weir::detail {

bool in_port::try_take(void* to) {
  const run found = first_run();
  if (found.count == 0) return false;
  channel::reader items = found.from->data().read(1);
  type_->relocate(to, items.item());
  items.done();
  touch(*found.from);
  ++cursor_;
  return true;
}

}  // namespace weir::detail
