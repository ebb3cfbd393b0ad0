// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ports/routes/leaf.hpp"
#include "ports/routes/sharing.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace weir::detail {
namespace {

/// To a consumer with fewer than `depth` items assigned and not completed.
class on_demand final : public sharing {
 public:
  on_demand(out_port& port, routes children, std::size_t depth) : sharing(port, std::move(children)), depth_(depth) {}

 private:
  bool is_assignable(const route& to) const noexcept override { return to.outstanding() < depth_; }

  // The depth of a nested consumer is that of the rule here, not of one channel. So any completion
  // inside may be the awaited one, also if the inner rule would not send the item there.
  bool ask_child(route& to, const void* item) override {
    if (to.as_leaf() != nullptr) return to.ask(item);
    to.ask_for_completion();
    return is_assignable(to);
  }

  const std::size_t depth_;
};

}  // namespace

const policy_route on_demand_route = {
    [](out_port& port, const policy& rule, routes children, const route_setting&) -> std::unique_ptr<route> {
      return std::make_unique<on_demand>(port, std::move(children), rule.depth);
    },
    [](leaf& to, const policy& rule, std::size_t) { to.limit_fill(rule.depth); }, true};

}  // namespace weir::detail
