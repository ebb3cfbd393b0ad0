// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/ports/loop.hpp"
#include "weir/graph/graph.hpp"

#include "run/activation.hpp"
#include "run/run_parts.hpp"
#include "run/waiting_node.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::detail {

/// Detects that some nodes of a run wait only for each other, and so will wait for ever.
///
/// **Rule.** An activation is *alive* in one of these cases. It is ready or runs. It waits for an
/// event outside the run: it has no in-port, it waits for room and has nothing to send and no other
/// node lets it go on, it has a deadline, or it stands for nodes in another group. It waits for
/// input, and a producer that has not closed its channel is alive. Or a consumer that still takes
/// items is alive, because this consumer may make room, or end. Activations that wait and are not
/// alive can only be woken by each other: a deadlock. An activation that may still go on is never
/// reported.
///
/// **Groups.** A deadlock whose nodes lead to other groups is no deadlock of this group. So the
/// rule is applied once more as if no news came from other groups. If nothing is alive then, the
/// group stands still. A caller that learns this of all groups knows that no node can go on (see
/// `cluster::standstill_watch`).
///
/// **Snapshot.** The states are not read in one moment. Each activation that is reported as dead
/// was found waiting twice, first before everything else was read and again after it, and had not
/// run in between (`activation::times_run`). So between the two reads all of them waited at the
/// same time. An activation that wakes another one runs while it does so; any other waker is
/// outside the run. A state is read by an exchange, so it is the latest, not an older one that this
/// thread still sees.
///
/// **Thread safety.** One thread at a time calls `look`, while the run is under way.
class deadlock_watch {
 public:
  explicit deadlock_watch(const run_parts& of);

  /// Compares the states with those of the last look. Finds nothing at the first look. Nodes that
  /// could go on after all are notified first: those that asked for more room than there is, and
  /// those whose consumers have all ended, which end then, too.
  std::optional<waiting_cycle> look();

  /// Returns whether the group stands still, by the states of the last look.
  standstill of_group();
  /// Notifies the nodes that can end, as `of_group` has found them.
  void end_some() { tell_of_consumers_gone(true); }

 private:
  static constexpr std::uint64_t never_told = ~std::uint64_t{0} - 1;

  struct place {
    activation* what = nullptr;
    std::vector<node_id> ids{};
    std::vector<host*> nodes{};
    bool elsewhere = false;  // it stands for nodes in another group
    std::uint64_t times_run = 0;
    std::optional<cause> waits_for{};
    std::uint64_t told_at = never_told;  // `times_run` when it was last told
    bool still = false;                  // it waits, and has not run since the last look
    bool alive = false;
  };
  struct edge {
    channel_id id;
    std::size_t from;
    std::size_t to;
    const channel* data;
    const loop* around;
    std::uint64_t read_in = 0;  // number of the look that read the next two members
    bool open = false;          // more items may come
    bool taken = false;         // more items are taken
  };

  void read_states();
  const edge& seen(std::size_t e);
  void read_all();
  /// @param from_outside whether news may come from other groups
  void spread_life(bool from_outside);
  bool waits_outside(std::size_t at, bool from_outside);
  bool dead_ones_stand_still() const;
  bool tell_of_room();
  bool tell_of_consumers_gone(bool now);
  std::vector<waiting_node> dead_ones(std::size_t most) const;
  const host* let_on_by(std::size_t at) const;
  std::size_t place_with(const host* node) const;
  const edge* waits_at(std::size_t at) const;
  bool is_far_end(node_id node) const;
  const channel_description& in_whole(const channel_description& c) const;
  const channel_description& channel_of_end(node_id node) const;
  std::string name_of_producer(const channel_description& c) const;
  std::string name_of_consumer(const channel_description& c) const;
  std::string name(node_id node) const;
  waiting_node description(std::size_t at) const;
  waiting_node description(std::size_t at, const edge& through) const;

  const graph& graph_;
  const graph& whole_;
  bool has_neighbours_ = false;  // whether there are other groups
  std::vector<bool> far_ends_;   // by node: whether it stands for nodes in another group
  std::vector<place> places_;
  std::vector<edge> edges_;
  std::uint64_t look_ = 0;
  std::vector<std::vector<std::size_t>> from_;  // by place: edges that lead from it
  std::vector<std::vector<std::size_t>> into_;
};

}  // namespace weir::detail
