// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace weir::detail {

/// A factory of behaviours from a prototype: a copy each time where that is possible, else the prototype itself, once.
template <class Behaviour, class Prototype>
std::function<std::unique_ptr<behaviour>()> maker_from(Prototype prototype, const char* what) {
  if constexpr (Prototype::copyable) {
    return [shared = std::make_shared<const Prototype>(std::move(prototype))]() -> std::unique_ptr<behaviour> {
      return std::make_unique<Behaviour>(Prototype(*shared));
    };
  } else {
    struct once {
      explicit once(Prototype p) : prototype(std::move(p)) {}
      Prototype prototype;
      std::once_flag used;
    };
    return [what, held = std::make_shared<once>(std::move(prototype))]() -> std::unique_ptr<behaviour> {
      std::unique_ptr<behaviour> made;
      std::call_once(held->used, [&] { made = std::make_unique<Behaviour>(std::move(held->prototype)); });
      if (made == nullptr) {
        throw graph_error(what, "this node can't be copied and is used a second time; give farm a factory instead");
      }
      return made;
    };
  }
}

template <class... Items>
std::vector<const item_type*> item_types_of(type_list<Items...>) {
  return {&item_type_of<Items>()...};
}

template <class In, class Out>
block<In, Out> node_block(const char* kind, std::function<std::unique_ptr<behaviour>()> make, bool reusable,
                          bool one_for_one = false, bool plain = false) {
  shape made;
  made.kind = kind;
  made.in = item_types_of(streams_in_t<In>{});
  made.out = item_types_of(streams_in_t<Out>{});
  made.make = std::move(make);
  made.reusable = reusable;
  made.one_for_one = one_for_one;
  made.plain = plain;
  return block<In, Out>(std::make_shared<const shape>(std::move(made)));
}

}  // namespace weir::detail
