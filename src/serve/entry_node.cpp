// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/channel/channel.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/detail/serve/end_nodes.hpp"

#include <algorithm>

namespace weir::detail {

void entry_node::start(ports& at) { from_->attach(at.owner()); }

progress entry_node::step(ports& at, std::size_t budget) {
  channel& data = from_->data();
  if (at.draining() && !data.closed()) from_->close();
  const bool closed = data.closed();  // read before the items
  std::size_t taken = 0;
  bool empty = false;
  while (taken != budget && !at.interrupted()) {
    const std::size_t found = data.claim_written();
    if (found == 0) {
      empty = true;
      break;
    }
    taken += forward(std::min(found, budget - taken), at);
  }
  at.count(taken);
  if (taken != 0) from_->note(taken);
  if (at.interrupted()) {
    from_->end_batching();
    return progress::waiting_room;
  }
  if (!empty) return progress::more;
  if (closed) return progress::ended;
  return from_->keep_watching(taken) ? progress::more : progress::waiting_input;
}

void entry_node::finish(ports&) {
  from_->end_batching();
  from_->close();
}

void entry_node::abort(ports&) noexcept { from_->stop(); }

std::size_t entry::forward(std::size_t count, ports& at) {
  channel::reader items = data().read(count);
  out_port& to = at.out();
  const bool copies = to.type().trivially_copyable && to.tag_words() == 0;
  while (items.more() && !at.blocked()) {
    const std::size_t copied = copies ? to.send_copies_in_run(items.item(), items.left()) : 0;
    if (copied != 0) {
      items.done(copied);
      continue;
    }
    items.emptied();
    to.send_relocated(items.item());
    items.done();
  }
  return items.count();
}

void exit::start(ports& at) { to_->attach(at.owner()); }

progress exit::step(ports& at, std::size_t budget) {
  if (to_->room(1) == 0) return wait_for_room();
  const std::size_t given = budget;
  const item_type& type = at.in().type();
  bool full = false;
  const progress how = at.consume(
      budget,
      [&](channel& from, std::size_t count) {
        // The room may be gone again, if the next item owns much memory.
        const void* const next = from.read(1).item();
        const std::size_t taken = put(from, to_->room(count, next), type);
        full = to_->room(1) == 0;
        return taken;
      },
      [&] { return full || at.stopping(); });
  if (budget != given) to_->offer_items();
  if (full && how != progress::ended) return wait_for_room();
  return how;
}

void exit::finish(ports&) { to_->close(); }
void exit::abort(ports&) noexcept { to_->stop(); }

progress exit::wait_for_room() noexcept { return to_->ask_for_room() ? progress::more : progress::waiting_room; }

std::size_t exit::put(channel& from, std::size_t count, const item_type& type) noexcept {
  channel::reader items = from.read(count);
  channel::writer slots = to_->write();
  if (type.trivially_copyable && from.layout().size == type.size) {
    slots.copy(items.item(), count);
    items.done(count);
  } else {
    for (; items.more(); items.done(), slots.done()) type.relocate(slots.item(), items.item());
  }
  return count;
}

}  // namespace weir::detail
