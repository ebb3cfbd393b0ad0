// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ports/routes/leaf.hpp"
#include "ports/routes/sharing.hpp"

#include <memory>
#include <utility>

namespace weir::detail {
namespace {

/// To a consumer that has room; cheap items in runs, costly ones one by one.
class balance final : public sharing {
 public:
  using sharing::sharing;

 private:
  bool is_assignable(const route&) const noexcept override { return true; }
};

}  // namespace

const policy_route balance_route = {
    [](out_port& port, const policy&, routes children, const route_setting&) -> std::unique_ptr<route> {
      return std::make_unique<balance>(port, std::move(children));
    },
    [](leaf& to, const policy&, std::size_t siblings) {
      if (siblings > 1) to.adapt();
    },
    true};

}  // namespace weir::detail
