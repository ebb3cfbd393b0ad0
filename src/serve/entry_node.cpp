// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/serve/end_nodes.hpp"

#include <algorithm>

namespace weir::detail {

void entry_node::start(ports& at) { from_->attach(at.owner()); }

progress entry_node::step(ports& at, std::size_t budget) {
  channel& data = from_->data();
  if (at.draining() && !data.closed()) from_->close();
  const bool closed = data.closed();  // before the look
  std::size_t taken = 0;
  bool empty = false;
  while (taken != budget && !at.interrupted()) {
    const channel::slots found = data.claim_written();
    if (found.count == 0) {
      empty = true;
      break;
    }
    taken += forward(found.first, std::min(found.count, budget - taken), at);
  }
  at.count(taken);
  if (taken != 0) from_->note(taken);
  if (at.interrupted()) {
    from_->ebb();
    return progress::waiting_room;
  }
  if (!empty) return progress::more;
  if (closed) return progress::ended;
  return from_->keep_watching(taken) ? progress::more : progress::waiting_input;
}

void entry_node::finish(ports&) {
  from_->ebb();
  from_->close();
}

void entry_node::abort(ports&) noexcept { from_->stop(); }

}  // namespace weir::detail
