// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/figures.hpp"

#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace weir {

inline constexpr std::size_t no_frame = std::numeric_limits<std::size_t>::max();

/// Figures that stand together in the picture: of a group, of a loop, or in the box of a farm.
/// Nothing else is drawn in its rectangle.
struct frame {
  enum class kind { group, loop, box };

  kind of;
  std::string name;  // empty for a loop, whose frame is not seen: it keeps outside what comes back
  std::set<std::size_t> inside;
  std::size_t outer = no_frame;
};

/// The frames of a picture, each within another or beside it; outer ones first.
class frames {
 public:
  explicit frames(const figures& f);

  const std::vector<frame>& all() const noexcept { return all_; }
  /// The smallest that holds all of them; `no_frame` if none does.
  std::size_t around(const std::set<std::size_t>& some) const;
  /// The smallest that holds more than the loop which a bundle closes.
  std::size_t outside_loop(std::size_t bundle) const;
  /// Whether the loop which a bundle closes leads through one figure after the other. Its side is
  /// free without a frame.
  bool is_chain(std::size_t bundle) const { return is_chain_[bundle]; }

 private:
  bool fits(const frame& wanted) const;

  std::vector<std::set<std::size_t>> members_;  // by bundle: of the loop that it closes
  std::vector<bool> is_chain_;
  std::vector<frame> all_;
};

}  // namespace weir
