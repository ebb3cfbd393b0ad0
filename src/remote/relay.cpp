// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "remote/relay.hpp"

#include "weir/detail/channel/channel.hpp"

namespace weir::detail {

std::unique_ptr<behaviour> make_relay() { return std::make_unique<relay>(); }

progress relay::step(ports& at, std::size_t budget) {
  return at.consume(budget, [&](channel& from, std::size_t count) { return take(from, count, at); });
}

std::size_t relay::take(channel& from, std::size_t count, ports& at) {
  out_port& out = at.out();
  const bool addressed = at.in().tag_words() != 0;
  channel::reader items = from.read(count);
  for (; items.more() && !at.blocked(); items.done()) {
    const tag::word to = addressed ? tag::of(items.item(), 0) : tag::outside;
    const out_port::place place =
        to == tag::outside ? out.acquire(items.item()) : out.acquire(items.item(), tag::number(to));
    out.type().relocate(place.slot, items.item());
    items.emptied();
    out.commit(place);
  }
  return items.count();
}

}  // namespace weir::detail
