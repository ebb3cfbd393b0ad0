// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/ports/ports.hpp"

#include <cstddef>
#include <memory>

namespace weir::detail {

/// A node that sends each item to all its consumers, or to the one to which the item is addressed
/// (`channel_description::addressed`).
class relay final : public behaviour {
 public:
  progress step(ports& at, std::size_t budget) override;

 private:
  static std::size_t take(channel& from, std::size_t count, ports& at);
};

/// Makes a new relay.
std::unique_ptr<behaviour> make_relay();

}  // namespace weir::detail
