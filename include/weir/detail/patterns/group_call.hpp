// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/farm.hpp"
#include "weir/blocks/node.hpp"
#include "weir/blocks/source.hpp"
#include "weir/export.hpp"
#include "weir/graph/error.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"
#include "weir/patterns/groups.hpp"
#include "weir/run/group_member.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::detail {

// The indices [begin, end) for the group `number`.
struct index_part {
  std::uint64_t number = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// The result of a group or of a problem, with its number.
template <class T>
struct numbered_value {
  std::uint64_t number = 0;
  T value;
};

// Divides `count` indices into contiguous parts, in the order of the groups, in proportion to their
// cores.
WEIR_API std::vector<index_part> parts_by_cores(std::size_t count, const std::vector<planned_group>& groups);

// Gives one index to each group.
WEIR_API std::vector<index_part> parts_by_number(std::size_t groups);

// Runs a network whose nodes all have their groups.
// @throws the exception of a node of this group; group_error for one of another group
WEIR_API void run_in_groups(network net, group_member& member, const std::stop_token& stop);

// The names of the groups, by number.
class WEIR_API group_names {
 public:
  explicit group_names(const across_groups& where);
  std::size_t count() const noexcept { return names_.size(); }
  const std::string& first() const noexcept { return names_.front(); }
  const std::string& operator[](std::size_t i) const noexcept { return names_[i]; }
  auto each() const {
    return [names = names_](std::size_t i) { return names[i]; };
  }
  // In reverse order, so that the last node, which decides the result group, is in the first group.
  auto each_backwards() const {
    return [names = names_](std::size_t i) { return names[names.size() - 1 - i]; };
  }

 private:
  std::vector<std::string> names_;
};

// Sends the one value that `before` produces to all groups, and returns it. @throws stopped if it
// produced none
template <class T, class Before>
T give_to_all(const across_groups& where, const group_names& groups, const Before& before,
              const std::stop_token& stop) {
  std::optional<T> result;
  const auto keep = [&result](T value) { result.emplace(std::move(value)); };
  run_in_groups(
      before | farm(sink<T>(keep), groups.count()).broadcast().named("result").in_group(groups.each_backwards()),
      *where.member, stop);
  if (!result) throw stopped{};
  return std::move(*result);
}

// Calls `own(begin, end)` in each group for its part, then `join(values)` in the first group with
// the results, in the order of the groups. Returns the result of `join` in all groups.
template <class T, class Own, class Join>
T call_in_groups(const across_groups& where, const char* name, std::vector<index_part> parts,
                 const std::stop_token& stop, const Own& own, const Join& join) {
  static_assert(has_codec<T> && std::is_copy_constructible_v<T>,
                "weir: across groups, results travel: their type needs a codec (see weir/item/codec.hpp), and copies");
  const group_names groups(where);
  const auto shares = [parts = std::move(parts), next = std::size_t{0}]() mutable -> std::optional<index_part> {
    if (next == parts.size()) return std::nullopt;
    return parts[next++];
  };
  const auto work = [&own](index_part part) {
    return numbered_value<T>{part.number,
                             own(static_cast<std::size_t>(part.begin), static_cast<std::size_t>(part.end))};
  };
  struct joining {
    const Join* join;
    std::vector<std::optional<T>> values;
    std::size_t missing;
    void process(numbered_value<T> one, outlet<T>& out) {
      values.at(static_cast<std::size_t>(one.number)).emplace(std::move(one.value));
      if (--missing != 0) return;
      std::vector<T> all;
      for (std::optional<T>& each : values) all.push_back(std::move(*each));
      out.send((*join)(std::move(all)));
    }
  };
  joining joins{&join, {}, groups.count()};
  joins.values.resize(groups.count());
  return give_to_all<T>(where, groups,
                        source(shares).named("shares").in_group(groups.first()) |
                            farm(node<index_part, numbered_value<T>>(work), groups.count())
                                .round_robin()
                                .named(name)
                                .in_group(groups.each()) |
                            node<numbered_value<T>, T>(std::move(joins)).named("join").in_group(groups.first()),
                        stop);
}

// As above, with parts in proportion to the cores of the groups.
template <class T, class Own, class Join>
T call_in_groups(const across_groups& where, const char* name, std::size_t count, const std::stop_token& stop,
                 const Own& own, const Join& join) {
  return call_in_groups<T>(where, name, parts_by_cores(count, where.member->groups()), stop, own, join);
}

}  // namespace weir::detail

namespace weir {

template <class T>
struct codec<detail::numbered_value<T>, std::enable_if_t<!std::is_trivially_copyable_v<detail::numbered_value<T>> ||
                                                         !std::is_default_constructible_v<detail::numbered_value<T>>>> {
  static void encode(const detail::numbered_value<T>& item, byte_sink& out) {
    append(out, item.number);
    codec<T>::encode(item.value, out);
  }
  static detail::numbered_value<T> decode(byte_source& in) {
    std::uint64_t number = 0;
    in.read(number);
    return {number, codec<T>::decode(in)};
  }
};

}  // namespace weir
