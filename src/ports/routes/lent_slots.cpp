// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ports/routes/lent_slots.hpp"

#include "weir/detail/ports/out_port.hpp"

#include "ports/routes/leaf.hpp"

#include <utility>

namespace weir::detail {
namespace {

constexpr std::size_t lent_bytes = 512;

}  // namespace

bool lent_slots::suit(const out_port& port) noexcept {
  const item_type& type = port.type();
  return port.words() == 0 && type.trivially_copyable && type.owned == nullptr && port.stride() <= lent_bytes &&
         type.alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
}

lent_slots::lent_slots(out_port& port, std::vector<leaf*> to)
    : port_(port),
      to_(std::move(to)),
      most_(lent_bytes / port.stride()),
      memory_(std::make_unique<std::byte[]>(most_ * port.stride())) {
  port.lend_through(*this);
}

void lent_slots::lend() noexcept {
  std::size_t room = most_;
  for (leaf* const each : to_) {
    each->mark();
    room = each->data().position().room(port_.stride(), room);
  }
  next_ = memory_.get();
  position_.move_to(memory_.get(), room * port_.stride());
}

void lent_slots::send() noexcept {
  const std::byte* const item = std::exchange(next_, next_ + port_.stride());
  for (leaf* const each : to_) {
    channel::writer slots(each->data().position(), port_.stride());
    port_.copier().copy(slots.item(), item);
    slots.done();
  }
  if (port_.asleep().any()) [[unlikely]] {
    for (leaf* const each : to_) each->wake_early();
  }
}

}  // namespace weir::detail
