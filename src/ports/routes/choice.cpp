// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ports/route.hpp"
#include "ports/routes/leaf.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weir::detail {
namespace {

/// To the consumer that a function chooses: the hash of a key, or an author's.
///
/// The choice is made once for an item, also if the item waits or is tried with other routes
/// meanwhile.
class choice final : public branch {
 public:
  choice(out_port& port, routes children, const policy::chooser& choose)
      : branch(port, std::move(children)), choose_(choose), leaves_(leaves()) {}

  bool ready(const void* item) override { return child(chosen(item)).ready(item); }
  place put(const void* item) override { return child(std::exchange(chosen_, unchosen)).put(item); }
  place try_put(const void* item) override {
    const std::size_t to = chosen(item);
    const place at = leaves_.empty() ? route::try_put(item) : leaves_[to]->try_put(item);
    if (at.slot != nullptr) chosen_ = unchosen;
    return at;
  }
  bool try_send(void* item) override {
    if (leaves_.empty()) return route::try_send(item);
    leaf& to = *leaves_[chosen(item)];
    if (!to.ready(item)) return false;
    chosen_ = unchosen;
    to.send(item);
    return true;
  }
  bool ask(const void* item) override { return child(chosen(item)).ask(item); }
  bool all_gone() const noexcept override {
    return chosen_ == unchosen ? branch::all_gone() : child(chosen_).all_gone();
  }
  void forget() noexcept override {
    chosen_ = unchosen;
    branch::forget();
  }
  bool chooses() const noexcept override { return true; }

 private:
  static constexpr std::size_t unchosen = std::numeric_limits<std::size_t>::max();

  std::size_t chosen(const void* item) { return chosen_ != unchosen ? chosen_ : chosen_ = choose(item); }

  std::size_t choose(const void* item) {
    if (item == nullptr) return 0;  // a punctuation: any consumer passes it on
    const std::size_t found = choose_(item, width());
    if (found >= width()) [[unlikely]]
      refuse(found);
    return found;
  }

  [[noreturn, gnu::cold]] void refuse(std::size_t found) const {
    throw std::out_of_range("the distribution function chose consumer " + std::to_string(found) + " of " +
                            std::to_string(width()));
  }

  const policy::chooser choose_;
  const std::vector<leaf*> leaves_;  // the children, if all of them are leaves
  std::size_t chosen_ = unchosen;    // for the current item
};

}  // namespace

const policy_route choice_route = {
    [](out_port& port, const policy& rule, routes children, const route_setting&) -> std::unique_ptr<route> {
      return std::make_unique<choice>(port, std::move(children), rule.choose);
    },
    nullptr, false};

}  // namespace weir::detail
