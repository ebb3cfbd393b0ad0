// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exchange_options.hpp"
#include "splitters.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace extsort {

/// The groups of a cluster that sort together, as seen from one of them, and their communication.
/// Functions that communicate must be called by all groups, in the same order, by one thread of
/// each. They throw group_error if another group fails, and `weir::stopped` on a request to stop.
class peers {
 public:
  /// @param groups must have a member
  explicit peers(const sort_groups& groups);

  std::size_t count() const noexcept { return names_.size(); }
  std::size_t number() const noexcept { return own_; }
  bool is_first() const noexcept { return own_ == 0; }
  const std::string& name(std::size_t number) const { return names_[number]; }

  /// Returns the result of `choose` for the values of all groups, in the order of groups; it is the
  /// same in all groups. Instances for numbers, splitters and strings are in peers.cpp.
  template <class T>
  T reduced(const std::function<T()>& own, const std::function<T(std::vector<T> each)>& choose) const;
  /// Returns the values of all groups, one after the other.
  std::vector<std::uint64_t> told_by_all(std::vector<std::uint64_t> own) const;
  std::uint64_t sum_of_all(std::uint64_t own) const;
  std::string told_by_first(const std::string& own) const;
  void wait_for_all() const { told_by_first(""); }

 private:
  weir::group_member* member_;
  std::stop_token stop_;
  std::vector<std::string> names_;
  std::size_t own_ = 0;
};

}  // namespace extsort
