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
  return port.tag_words() == 0 && type.trivially_copyable && type.owned == nullptr && port.stride() <= lent_bytes &&
         type.alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__;
}

lent_slots::lent_slots(out_port& port, std::vector<leaf*> to)
    : port_(port),
      copier_(port.type()),
      stride_(port.stride()),
      to_(std::move(to)),
      most_(lent_bytes / stride_),
      memory_(std::make_unique<std::byte[]>(most_ * stride_)) {
  for (const leaf* each : to_) positions_.push_back(&each->data().position());
  port.lend_through(*this);
}

void lent_slots::lend() noexcept {
  std::size_t room = most_;
  for (leaf* const each : to_) {
    each->mark();
    room = each->data().position().room(stride_, room);
  }
  next_ = memory_.get();
  position_.move_to(memory_.get(), room * stride_);
}

}  // namespace weir::detail
