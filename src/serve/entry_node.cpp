// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/ports/claimed.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/detail/serve/end_nodes.hpp"

#include <algorithm>
#include <cstring>

namespace weir::detail {

void entry_node::start(ports& at) { from_->attach(at.owner()); }

progress entry_node::step(ports& at, std::size_t budget) {
  channel& data = from_->data();
  if (at.draining() && !data.closed()) from_->close();
  const bool closed = data.closed();  // read before the items
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

std::size_t entry::forward(std::byte* first, std::size_t count, ports& at) {
  claimed_slots slots(first, data());
  out_port& to = at.out();
  const bool copies = to.type().trivially_copyable && to.words() == 0;
  while (slots.count() != count && !at.blocked()) {
    const std::size_t copied = copies ? to.send_copies_in_run(slots.item(), count - slots.count()) : 0;
    if (copied != 0) {
      slots.done(copied);
      continue;
    }
    slots.empty();
    to.send_relocated(slots.item());
    slots.done();
  }
  return slots.count();
}

void exit::start(ports& at) { to_->attach(at.owner()); }

progress exit::step(ports& at, std::size_t budget) {
  if (to_->room(1) == 0) return wait_for_room();
  const std::size_t given = budget;
  const item_type& type = at.in().type();
  bool full = false;
  const progress how = at.consume(
      budget,
      [&](std::byte* first, std::size_t count, channel& from) {
        const std::size_t taken = put(first, std::min(count, to_->room(count)), from, type);
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

std::size_t exit::put(std::byte* first, std::size_t count, channel& from, const item_type& type) noexcept {
  claimed_slots slots(first, from);
  std::byte* at = to_->cursor();
  if (type.trivially_copyable && from.layout().size == type.size) {
    std::memcpy(at, first, count * type.size);
    slots.done(count);
  } else {
    for (std::size_t left = count; left != 0; --left, at += type.size) {
      type.relocate(at, slots.item());
      slots.done();
    }
  }
  to_->commit(count);
  return count;
}

}  // namespace weir::detail
