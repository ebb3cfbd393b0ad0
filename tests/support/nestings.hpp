// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/weir.hpp"

#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace weir_test {

using stage = weir::block<long, long>;

inline stage add(long amount) {
  return weir::node([amount](long item) { return item + amount; });
}

// Sends each item round the loop three times.
struct one_by_one {
  void process(long item, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(item * 4); }
  void returned(long item, weir::outlet<long>& jobs, weir::outlet<long>& answers) {
    if (item % 4 == 3) {
      answers.send(item / 4 + 3);
    } else {
      jobs.send(item);
    }
  }
};
// Sends every second item round the loop once more.
struct some_go_round {
  void process(long item, weir::outlet<long>& out, weir::outlet<long>& back, weir::context& where) {
    if (item % 2 == 0 || where.from_loop()) {
      out.send(item + 3);
    } else {
      back.send(item);
    }
  }
};
struct even_and_odd {
  void process(long item, weir::outlet<long>& even, weir::outlet<long>& odd) {
    (item % 2 == 0 ? even : odd).send(item);
  }
};

/// Blocks nested in each other in every way. Each adds 3 to every item.
inline std::vector<std::pair<std::string, stage>> nestings() {
  using weir::farm;
  const auto key = [](const long& item) { return item % 5; };
  return {
      {"node", add(3)},
      {"pipeline", add(1) | add(1) | add(1)},
      {"farm", farm(add(3), 4)},
      {"farm of one", farm(add(3), 1)},
      {"farm of pipelines", farm(add(1) | add(2), 3)},
      {"pipeline of farms", farm(add(1), 3) | farm(add(2), 5)},
      {"farm of farms", farm(farm(add(3), 3), 2)},
      {"farm of keyed farms", farm(farm(add(3), 3).by_key(key), 2)},
      {"keyed farm of keyed farms", farm(farm(add(3), 3).by_key(key), 4).by_key(key)},
      {"farm of farms of pipelines", farm(farm(add(1) | add(1), 2) | add(1), 3)},
      {"round robin", farm(add(3), 4).round_robin()},
      {"on demand", farm(add(3), 4).on_demand()},
      {"on demand of three", farm(add(3), 4).on_demand(3)},
      {"on demand of farms", farm(farm(add(3), 2), 3).on_demand(2)},
      {"round robin of on demand", farm(farm(add(3), 2).on_demand(), 3).round_robin()},
      {"function", farm(add(3), 4).distribute(
                       [](const long& item, std::size_t width) { return static_cast<std::size_t>(item) % width; })},
      {"one to one", farm(add(1), 4) | farm(add(2), 4).one_to_one()},
      {"set", weir::set(add(3), farm(add(3), 2), add(1) | add(2))},
      {"all to all", weir::all_to_all(weir::set(add(1), add(1)), weir::set(add(2), add(2), add(2)).by_key(key))},
      {"fused", weir::fuse([](long item) { return item + 1; }, [](long item) { return item + 2; })},
      {"ordered farm", farm(add(3), 4).ordered()},
      {"farm of ordered farms of farms", farm(farm(farm(add(3), 2), 2).ordered(), 2)},
      {"ordered pipeline", (farm(add(1), 2) | farm(add(2), 3).on_demand()).ordered()},
      {"loop", weir::feedback(one_by_one{}, farm(add(1), 2))},
      {"farm with a loop", weir::feedback(farm(some_go_round{}, 3))},
      {"split", weir::node(even_and_odd{}) | weir::merge(add(3), farm(add(3), 2))},
      {"tee and zip", weir::tee(add(1), add(2)) | weir::zip<long, long>() | weir::node([](std::tuple<long, long> both) {
                        return 2 * std::get<1>(both) - std::get<0>(both);
                      })},
      {"farm of fused", farm(weir::fuse([](long item) { return item + 1; }, [](long item) { return item + 2; }), 3)},
  };
}

}  // namespace weir_test
