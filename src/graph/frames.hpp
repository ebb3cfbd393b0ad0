// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/figures.hpp"

#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace weir::detail {

inline constexpr std::size_t no_frame = std::numeric_limits<std::size_t>::max();

/// Figures that are drawn together: the members of a group, of a loop, or in the box of a farm. No
/// other figure is drawn in the rectangle of the frame.
struct frame {
  enum class kind { group, loop, box };

  kind of;
  std::string name;  // empty for a loop; its frame is invisible and keeps the arrow that goes back outside
  std::set<std::size_t> inside;
  std::size_t outer = no_frame;
};

/// The frames of a picture. Frames are nested or disjoint. Outer frames come first.
class frames {
 public:
  explicit frames(const figures& f);

  const std::vector<frame>& all() const noexcept { return all_; }
  /// Returns the smallest frame that holds all of `some`, or `no_frame` if there is none.
  std::size_t around(const std::set<std::size_t>& some) const;
  /// Returns the smallest frame that holds more figures than the loop that the bundle closes.
  std::size_t outside_loop(std::size_t bundle) const;
  /// Returns whether the loop that the bundle closes leads through one figure after the other. The
  /// space beside such a loop is free even without a frame.
  bool is_chain(std::size_t bundle) const { return is_chain_[bundle]; }

 private:
  bool fits(const frame& wanted) const;

  std::vector<std::set<std::size_t>> members_;  // by bundle: members of the loop that it closes
  std::vector<bool> is_chain_;
  std::vector<frame> all_;
};

}  // namespace weir::detail
