// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "peers.hpp"

#include <weir/patterns/across_groups.hpp>
#include <weir/weir.hpp>

#include "exchange_items.hpp"

#include <algorithm>
#include <numeric>

namespace extsort {

peers::peers(const sort_groups& groups) : member_(groups.member), stop_(groups.by.stop) {
  for (const weir::planned_group& each : groups.member->groups()) names_.push_back(each.name);
  own_ = static_cast<std::size_t>(std::ranges::find(names_, groups.member->name()) - names_.begin());
}

template <class T>
T peers::reduced(const std::function<T()>& own, const std::function<T(std::vector<T> each)>& choose) const {
  return weir::reduce_groups<T>({member_}, own, choose, stop_);
}
template numbers peers::reduced(const std::function<numbers()>&,
                                const std::function<numbers(std::vector<numbers>)>&) const;
template splitters peers::reduced(const std::function<splitters()>&,
                                  const std::function<splitters(std::vector<splitters>)>&) const;
template std::string peers::reduced(const std::function<std::string()>&,
                                    const std::function<std::string(std::vector<std::string>)>&) const;

std::vector<std::uint64_t> peers::told_by_all(std::vector<std::uint64_t> own) const {
  return reduced<numbers>([&] { return numbers{std::move(own)}; },
                          [](std::vector<numbers> each) {
                            numbers all;
                            for (const numbers& one : each)
                              all.values.insert(all.values.end(), one.values.begin(), one.values.end());
                            return all;
                          })
      .values;
}

std::uint64_t peers::sum_of_all(std::uint64_t own) const {
  const std::vector<std::uint64_t> each = told_by_all({own});
  return std::accumulate(each.begin(), each.end(), std::uint64_t{0});
}

std::string peers::told_by_first(const std::string& own) const {
  return reduced<std::string>([&] { return own; }, [](std::vector<std::string> all) { return std::move(all.front()); });
}

}  // namespace extsort
