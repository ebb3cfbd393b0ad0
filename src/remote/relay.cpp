// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "remote/relay.hpp"

#include "weir/detail/ports/claimed.hpp"

namespace weir {

std::unique_ptr<behaviour> make_relay() { return std::make_unique<relay>(); }

progress relay::step(ports& at, std::size_t budget) {
  return at.consume(budget,
                    [&](std::byte* first, std::size_t count, channel& from) { return take(first, count, from, at); });
}

std::size_t relay::take(std::byte* first, std::size_t count, channel& from, ports& at) {
  out_port& out = at.out();
  const bool addressed = at.in().words() != 0;
  claimed_slots slots(first, from);
  for (; count != 0 && !at.blocked(); --count, slots.done()) {
    const tag::word to = addressed ? tag::of(slots.item(), 0) : tag::outside;
    const out_port::place place =
        to == tag::outside ? out.acquire(slots.item()) : out.acquire(slots.item(), tag::number(to));
    out.type().relocate(place.slot, slots.item());
    slots.empty();
    out.commit(place);
  }
  return slots.count();
}

}  // namespace weir
