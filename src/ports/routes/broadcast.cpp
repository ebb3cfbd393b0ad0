// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ports/route.hpp"
#include "ports/routes/leaf.hpp"
#include "ports/routes/lent_slots.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace weir::detail {
namespace {

/// To every consumer, a copy each.
class broadcast final : public branch {
 public:
  broadcast(out_port& port, routes children, const route_setting& here) : branch(port, std::move(children)) {
    if (!here.outermost) return;
    leaves_ = leaves();
    if (std::ranges::any_of(leaves_, [](const leaf* each) { return each->is_addressed(); })) leaves_.clear();
    for (leaf* const each : leaves_) each->send_slowly();
    if (leaves_.size() > 1 && lent_slots::suit(port)) lent_ = std::make_unique<lent_slots>(port, leaves_);
  }

  bool ready(const void* item) override {
    for (std::size_t i = 0; i != width(); ++i) {
      if (!child(i).ready(item)) return false;
    }
    return true;
  }

  place put(const void* item) override {
    for (std::size_t i = 0; i + 1 < width(); ++i) copy_to(child(i), item);
    return child(width() - 1).put(item);
  }

  place try_put(const void* item) override {
    if (leaves_.empty() || item == nullptr) return route::try_put(item);
    for (leaf* const each : leaves_) {
      if (!each->ready(item)) return {nullptr, nullptr};
    }
    if (lent_ != nullptr) {
      lent_->lend();
      return port_.lent_place();
    }
    for (std::size_t i = 0; i + 1 < leaves_.size(); ++i) copy_to(*leaves_[i], item);
    return leaves_.back()->put(item);
  }

  // It is enough to wait for one full child.
  bool ask(const void* item) override {
    for (std::size_t i = 0; i != width(); ++i) {
      if (!child(i).ready(item)) return child(i).ask(item);
    }
    return true;
  }

  bool all_gone() const noexcept override {
    for (std::size_t i = 0; i != width(); ++i) {
      if (child(i).all_gone()) return true;
    }
    return false;
  }

 private:
  template <class Route>
  void copy_to(Route& to, const void* item) {
    const place copy = to.put(item);
    if (item != nullptr) port_.copier().copy(copy.slot, item);
    port_.commit(copy);
  }

  std::vector<leaf*> leaves_;         // the children, if items go from here to channels and no rule is above
  std::unique_ptr<lent_slots> lent_;  // null if items are sent one by one
};

}  // namespace

const policy_route broadcast_route = {
    [](out_port& port, const policy&, routes children, const route_setting& here) -> std::unique_ptr<route> {
      return std::make_unique<broadcast>(port, std::move(children), here);
    },
    nullptr, false};

}  // namespace weir::detail
