// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ports/route.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace weir::detail {
namespace {

/// To the first consumer, the second, and so on, waiting for each in its turn.
class round_robin final : public branch {
 public:
  using branch::branch;

  bool ready(const void* item) override { return child(next_).ready(item); }
  place put(const void* item) override {
    route& to = child(next_);
    next_ = (next_ + 1) % width();
    return to.put(item);
  }
  bool ask(const void* item) override { return child(next_).ask(item); }
  bool all_gone() const noexcept override { return child(next_).all_gone(); }

 private:
  std::size_t next_ = 0;
};

}  // namespace

const policy_route round_robin_route = {
    [](out_port& port, const policy&, routes children, const route_setting&) -> std::unique_ptr<route> {
      return std::make_unique<round_robin>(port, std::move(children));
    },
    nullptr, false};

}  // namespace weir::detail
