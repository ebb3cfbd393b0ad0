// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ports/routes/sharing.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weir::detail {

sharing::sharing(out_port& port, routes children) : branch(port, std::move(children)), order_(width()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  const auto far = std::ranges::stable_partition(order_, [&](std::size_t i) { return !child(i).is_far(); });
  near_ = first_far_ = static_cast<std::size_t>(far.begin() - order_.begin());
}

bool sharing::ready(const void* item) {
  return one_ready(item, 0, near_, first_near_) || one_ready(item, near_, order_.size(), first_far_);
}

// Tries the children from `begin` to `end` in their order, starting at `first`. Leaves `first` at
// the child that is ready.
bool sharing::one_ready(const void* item, std::size_t begin, std::size_t end, std::size_t& first) {
  for (std::size_t tried = begin; tried != end; ++tried) {
    if (first >= end) first = begin;
    found_ = order_[first];
    if (is_assignable(child(found_)) && child(found_).ready(item)) return true;
    ++first;
  }
  return false;
}

route::place sharing::put(const void* item) {
  route& to = child(found_);
  ++(to.is_far() ? first_far_ : first_near_);
  const place at = to.put(item);
  if (chooses()) forget();  // choices made below children that were tried in vain
  return at;
}

bool sharing::ask(const void* item) {
  bool due = false;
  for (std::size_t i = 0; i != width(); ++i) due = ask_child(child(i), item) || due;
  return due;
}

}  // namespace weir::detail
