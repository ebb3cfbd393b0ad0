// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/serve/open_end.hpp"
#include "weir/graph/graph.hpp"

#include <ff/all2all.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ff::detail {

class results;

/// A network that can't be built. The message says why.
class wrong_network : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How far the nodes of a run in this process are.
struct life {
  std::atomic<std::size_t> made{0};
  std::atomic<std::size_t> begun{0};  ///< those whose svc_init has been called
  std::shared_ptr<std::atomic<std::size_t>> running = std::make_shared<std::atomic<std::size_t>>(0);  ///< not ended
};

/// A consumer, as its producer sees it.
struct consumer {
  ff_node* node = nullptr;        ///< null if it is no node of the program
  std::shared_ptr<rest> resting;  ///< null if the producer can't freeze it by itself
  bool is_elsewhere = false;      ///< in another process
};

/// The work of one node of the graph.
struct unit {
  enum class role {
    code,        ///< calls a node of the user
    pass,        ///< passes tasks on: the emitter or the collector that a farm has by default
    entry,       ///< sends on what other threads offload
    exit,        ///< keeps results for other threads
    from_queue,  ///< sends on what is in a queue
    to_queue,    ///< puts tasks into a queue
  };

  role does = role::code;
  ff_node* node = nullptr;      ///< for `code`
  task_queue* queue = nullptr;  ///< for `from_queue` and `to_queue`
  std::string name;
  std::string group;                       ///< empty: none
  const weir::item_type* taken = nullptr;  ///< type of the tasks that it takes; null: unknown
  const weir::item_type* sent = nullptr;   ///< type of those that it sends
  bool is_on_demand = false;               ///< a task goes to a consumer that is free
  bool skips_full = false;                 ///< passes over consumers without room
  std::size_t ondemand = 0;                ///< tasks that each channel to a consumer holds; 0: as the block says
  std::size_t demand = 0;                  ///< if weir chooses a consumer that has room: the tasks that each may have
  bool chooses = false;                    ///< the load balancer is the user's, and chooses the consumer
  ff_loadbalancer* lb = nullptr;           ///< the load balancer that the node may use
  ff_gatherer* gt = nullptr;               ///< the gatherer that the node may use
  task_queue* manager = nullptr;           ///< tasks of another thread for the node; null: none
  ssize_t manager_id = -1;                 ///< the number of the input that these have
  std::shared_ptr<rest> resting;           ///< null if it is no node
  std::vector<consumer> consumers;         ///< those by feedback channels first
  bool is_part_of_worker = false;          ///< the producer can't freeze it by itself
  bool is_thawed_by_producer = false;      ///< else by the next task
  bool marks = false;                      ///< sends a `mark` behind the results of each task
  bool tells_order = false;                ///< says at its second out-port which consumer gets each task
  bool keeps_order = false;                ///< learns at its second in-port from which input the next results come
  std::shared_ptr<life> of_all;
  std::size_t feedback_in = 0;
  std::size_t feedback_out = 0;
};

/// Flattens blocks to nodes and channels, and makes weir's graph of them.
///
/// This class has access to the blocks' private members, for the whole of the library.
class lowering {
 public:
  /// @throws wrong_network
  /// @param last the results of the run before, which may still be loaded; null: none
  /// @param freezes whether nodes rest when they are told to, and can be thawed; else they end
  lowering(ff_node& whole, std::shared_ptr<results> last, bool freezes);

  weir::graph graph();

  std::shared_ptr<weir::detail::input_end> in;  ///< null if nothing is offloaded
  std::shared_ptr<results> out;                 ///< null if nothing is to be loaded

  /// Number of nodes that have not ended.
  const std::shared_ptr<std::atomic<std::size_t>>& running() const noexcept { return of_all_->running; }

  /// Gives a node, and the nodes in it, its place; null takes it away.
  static void place_at(ff_node& node, place* at);
  static void place_at(ff_loadbalancer& lb, place* at, std::size_t workers) {
    lb.place_ = at;
    lb.workers_ = workers;
  }
  static void place_at(ff_gatherer& gt, place* at) { gt.place_ = at; }
  static bool skips_first_pop(const ff_node& node);
  static node_queues* queues_of(const ff_node& node) { return node.queues_.get(); }
  static bool has_victim(const ff_loadbalancer& lb) noexcept { return lb.victim_ >= 0; }
  static std::size_t choose(ff_loadbalancer& lb) {
    if (lb.victim_ < 0) return lb.selectworker();
    const auto chosen = static_cast<std::size_t>(lb.victim_);
    lb.victim_ = -1;
    return chosen;
  }
  static std::unique_ptr<runs>& runs_of(ff_node& node) { return node.runs_; }
  static void note_times(ff_node& node, bool starts);
  static std::pair<timeval, timeval> times_of(const ff_node& node);
  static int threads_of(ff_node& node);
  static void add_last_nodes(ff_node& block, svector<ff_node*>& to);

 private:
  struct wire {
    std::size_t from;
    std::size_t to;
    bool is_feedback;
    std::size_t capacity;  // 0: not limited
  };
  // The units of a block that take what comes from before it, and those that send on.
  struct part {
    std::vector<std::size_t> first;
    std::vector<std::size_t> last;
    bool takes_many = false;  // a unit of `first` may have several producers
    bool sends_many = false;  // a unit of `last` may have several consumers
  };

  part lower(ff_node& block, ssize_t first_id);
  part lower_block(ff_node& block, ssize_t first_id);
  std::string group_of(const ff_node& block);
  part lower_leaf(ff_node& node);
  unit code_of(ff_node& node);
  void note_code(const ff_node& node);
  void check_order(std::size_t first, std::size_t worker) const;
  void connect_queues(ff_node& node, std::size_t number);
  part lower(ff_pipeline& pipe, ssize_t first_id);
  part lower(ff_farm& farm);
  part lower(ff_a2a& both);
  std::size_t add(unit made);
  void note_consumers();
  static void show_queues(unit& from, unit& to, std::size_t slots);
  std::vector<const weir::item_type*> types_of_ports() const;
  void check_codecs(const std::vector<const weir::item_type*>& types) const;
  void join(const part& from, const part& to, bool is_feedback, std::size_t capacity, const std::string& where);
  void join_each(const part& from, const part& to, bool is_feedback, std::size_t capacity);
  bool are_in_other_groups(const part& from, const part& to) const;
  bool leaves_process(const wire& of) const;
  void add_wire(std::size_t from, std::size_t to, bool is_feedback, std::size_t capacity);

  const bool freezes_;
  const std::shared_ptr<life> of_all_ = std::make_shared<life>();
  std::vector<unit> units_;
  std::vector<wire> wires_;
  std::set<const ff_node*> nodes_;                           // also those in combinations
  std::string group_;                                        // of the block that is lowered
  std::set<std::string> groups_;                             // those that were made from blocks
  std::vector<std::pair<std::size_t, std::size_t>> orders_;  // emitter and collector of farms in order
};

/// A node's name in messages: the class, and its number among its siblings.
std::string name_of(const ff_node& node);

}  // namespace ff::detail
