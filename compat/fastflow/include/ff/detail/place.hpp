// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_DETAIL_PLACE_HPP
#define WEIR_FF_DETAIL_PLACE_HPP

#include <weir/export.hpp>

#include <ff/detail/task_queue.hpp>
#include <ff/svector.hpp>
#include <sys/types.h>

#include <atomic>
#include <cstddef>

namespace ff {
class ff_gatherer;
class ff_loadbalancer;
class ff_node;
}  // namespace ff

namespace ff::detail {

/// How a node rests, and how it is thawed: a node that is told to rest takes no tasks until it may
/// go on.
///
/// The producer tells the node to rest by a word among its tasks, and thaws it by an order beside
/// them. Both count the words, and an order names the last word before it. So an order that comes
/// before its word has been taken is kept for it, and one without a word has no effect.
struct rest {
  static constexpr std::size_t has_ended = static_cast<std::size_t>(-1);

  /// Twice the number of orders that the node has taken, and 1 more while it rests; `has_ended`
  /// when it runs no more. The node stores it (release) when it has fallen to rest, or goes on, and
  /// whoever waits for that loads it (acquire).
  std::atomic<std::size_t> state{0};
  task_queue orders;  ///< from the producer to the node
  /// How many tasks the node may take in a turn; 0: not known yet.
  std::atomic<std::size_t> turn{0};

  // For the producer.

  std::atomic<bool> freezes{false};   ///< `GO_OUT` and `EOSW` make the node rest, in place of ending
  std::atomic<bool> stops{false};     ///< the next thaw ends the node
  std::atomic<std::size_t> words{0};  ///< that have told the node to rest
  std::atomic<std::size_t> thaws{0};  ///< orders; of a collector, calls of `thaw`

  /// Whether the node rests, and no order waits for it, or has ended.
  bool is_reached() const noexcept {
    const std::size_t now = state.load(std::memory_order_acquire);
    return now == 2 * thaws.load(std::memory_order_relaxed) + 1 || now == has_ended;
  }
};

/// The view that a node has of the network around it while it runs. Only the code of that node may
/// use it.
class WEIR_API place {
 public:
  /// Sends a task to the consumer whose turn it is, or to the next one that has room. Waits for
  /// room.
  /// @param id a consumer; -1: any
  /// @param attempts for a channel of fixed size: how often to try; -1: until there is room
  /// @return false if there was no room
  virtual bool send(void* task, int id, unsigned long attempts) = 0;
  /// Sends a task to each consumer.
  virtual void broadcast(void* task) = 0;
  /// Waits until each input that has not ended has a task, and takes one from each. `from[i]` is
  /// the task of input `i`; null if that one has ended.
  /// @param task the task that `svc` was called with
  /// @return false if all inputs have ended
  virtual bool all_gather(void* task, void** from) = 0;
  /// Returns a consumer that has room.
  /// @param wait whether to wait for one; if not, -1 says that there is none
  virtual int next_free(bool wait) = 0;
  /// Says that nothing more will be sent.
  virtual void propagate_end() = 0;
  /// Sets whether `svc` gets tasks that do not come back from a feedback channel. While it does
  /// not, it is called with null if there is no other task.
  virtual void set_input_active(bool active) = 0;
  /// Adds the consumers that are nodes of the program.
  /// @param by_feedback those to which feedback channels lead, else the others
  virtual void add_consumers(svector<ff_node*>& to, bool by_feedback) const = 0;
  /// Returns how consumer `id` rests, which must be a node of this process. @throws logic_error
  virtual rest& rest_of(std::size_t id) = 0;
  /// Waits until a node rests or has ended. What was sent goes on to the consumers meanwhile.
  virtual void wait_for(const rest& of) = 0;

  /// `input` of an emitter that is called without a task.
  static constexpr ssize_t no_input = -2;

  /// Those of the farm whose emitter, or collector, the node is; null: it is none.
  ff_loadbalancer* farm_lb = nullptr;
  ff_gatherer* farm_gt = nullptr;

  /// The input of the current task, counted from 0 among those of its kind; -1 if there is none.
  ssize_t input = -1;
  /// Whether the current task came from an input that is no feedback channel.
  bool from_input = true;

  std::size_t inputs = 0;       ///< all inputs
  std::size_t told_inputs = 0;  ///< the inputs that the node is told of; an emitter isn't told of feedback channels
  std::size_t outputs = 0;      ///< all consumers
  std::size_t feedback = 0;     ///< consumers that feedback channels lead to

 protected:
  ~place() = default;
};

}  // namespace ff::detail

#endif
