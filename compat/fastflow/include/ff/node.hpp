// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_NODE_HPP
#define WEIR_FF_NODE_HPP

#include <ff/barrier.hpp>
#include <ff/config.hpp>
#include <ff/cycle.h>
#include <ff/detail/place.hpp>
#include <ff/detail/task_queue.hpp>
#include <ff/mapper.hpp>
#include <ff/platforms/platform.h>
#include <ff/svector.hpp>
#include <ff/ubuffer.hpp>
#include <ff/utils.hpp>
#include <sys/time.h>
#include <sys/types.h>

#include <atomic>
#include <cassert>
#include <climits>
#include <cstddef>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef DFF_ENABLED
#include <ff/detail/serialized_task.hpp>
#endif

namespace weir {
struct item_type;
namespace detail {
class input_end;
}
}  // namespace weir

namespace ff {
namespace detail {

/// Values of a task pointer that say something in place of a task. See `ff_node::svc`.
enum : std::size_t {
  eos = ULLONG_MAX,
  eos_nofreeze = eos - 0x1,
  eosw = eos - 0x2,
  go_on = eos - 0x3,
  go_out = eos - 0x4,
  flush = eos - 0x5,
  blk = eos - 0x6,
  nblk = eos - 0x7,
  tag_max = eos - 0x8,
  tag_min = eos - 0xa,         ///< from here to `tag_max`: tasks of the program that are no pointers
  least_reserved = eos - 0xd,  ///< no pointer has such a value, or a greater one
};

}  // namespace detail

static void* const FF_EOS = reinterpret_cast<void*>(detail::eos);
static void* const FF_EOS_NOFREEZE = reinterpret_cast<void*>(detail::eos_nofreeze);
static void* const FF_EOSW = reinterpret_cast<void*>(detail::eosw);
static void* const FF_GO_ON = reinterpret_cast<void*>(detail::go_on);
static void* const FF_GO_OUT = reinterpret_cast<void*>(detail::go_out);
static void* const FF_FLUSH = reinterpret_cast<void*>(detail::flush);
static void* const FF_BLK = reinterpret_cast<void*>(detail::blk);
static void* const FF_NBLK = reinterpret_cast<void*>(detail::nblk);
static void* const FF_TAG_MIN = reinterpret_cast<void*>(detail::tag_min);

class ff_node;
class ff_pipeline;
class ff_farm;
class ff_a2a;
struct GroupInterface;

namespace detail {

class lowering;
class results;
class sharing_place;
struct run_state;

/// Whether nodes have callbacks. Set before `main`.
WEIR_API extern bool calls_back;
#ifdef FF_TASK_CALLBACK
[[maybe_unused]] static const bool sets_calls_back = calls_back = true;
#endif

/// The tasks that a node can return in place of a task, as pointers of type `T*`. They are members
/// of the typed nodes, so that `return GO_ON;` has the right type.
template <class T>
struct sentinels {
  T* const GO_ON = reinterpret_cast<T*>(FF_GO_ON);
  T* const EOS = reinterpret_cast<T*>(FF_EOS);
  T* const EOSW = reinterpret_cast<T*>(FF_EOSW);
  T* const GO_OUT = reinterpret_cast<T*>(FF_GO_OUT);
  T* const EOS_NOFREEZE = reinterpret_cast<T*>(FF_EOS_NOFREEZE);
  T* const FLUSH = reinterpret_cast<T*>(FF_FLUSH);
  // These ask for waits with and without sleep. They have no effect: threads without work sleep.
  T* const BLK = reinterpret_cast<T*>(FF_BLK);
  T* const NBLK = reinterpret_cast<T*>(FF_NBLK);
};

/// The queues of a node that runs by itself.
struct node_queues {
  std::vector<task_queue*> in;
  std::vector<task_queue*> out;
  std::unique_ptr<task_queue> own_in;
  std::unique_ptr<task_queue> own_out;
  // In a network these tell the lengths of the node's channels, and hold no tasks.
  std::unique_ptr<task_queue> shown_in;
  std::unique_ptr<task_queue> shown_out;
};

/// The groups that a program has made from a block, and those into which it has put the block.
struct node_groups {
  std::vector<std::string> made;
  std::vector<std::string> in;
  bool has_chosen_parts = false;  ///< parts of the block are in a group, so the block itself is in none
};

/// A run of a network: what `run` has begun and `wait` ends.
///
/// One thread runs and waits. Others may offload, load and ask meanwhile: what these use stays as
/// it is until the next run.
class WEIR_API runs {
 public:
  runs();
  runs(const runs&) = delete;
  runs& operator=(const runs&) = delete;
  ~runs();

  std::unique_ptr<run_state> last;  ///< null: none; kept until the next one
  bool is_running = false;
  std::shared_ptr<weir::detail::input_end> offloads;  ///< of the last run; null if it took none
  std::shared_ptr<results> loads;                     ///< null if no run gave any
  std::shared_ptr<std::atomic<std::size_t>> running;  ///< number of nodes that have not ended
  bool will_freeze = false;                           ///< the next run is one that `thaw` goes on with
  bool is_frozen = false;                             ///< `thaw` goes on
  bool is_stopped = false;                            ///< `thaw` doesn't
};

}  // namespace detail

/// A node: user code that takes tasks and sends others.
///
/// Every block of this interface is one: pipelines, farms, all-to-alls and combinations, too. The
/// code of a node runs on one thread at a time, and not always on the same one.
class WEIR_API ff_node {
 public:
  enum { TICKS2WAIT = 1000 };

  ff_node();
  /// Copies the types of tasks and the groups. A copy has no place in a network yet.
  ff_node(const ff_node&);
  ff_node& operator=(const ff_node&) { return *this; }
  virtual ~ff_node();

  /// Called for each task. A node without input is called with null until it says that the stream
  /// has ended. What it returns is sent on, except for these:
  ///  - `GO_ON`, `FLUSH`: nothing is sent;
  ///  - null, `EOS`: nothing is sent, and the node has ended. So have its consumers, once all their
  ///    producers have. Tasks that wait for the node are dropped;
  ///  - `EOSW`, `EOS_NOFREEZE`, `GO_OUT`: as `EOS`.
  virtual void* svc(void* task) = 0;
  /// Called before the first task of each run. Anything below 0 ends the run with an error.
  virtual int svc_init() { return 0; }
  /// Called at the end of each run that has not failed. May not send.
  virtual void svc_end() {}
  /// Called when an input has ended, or, with -1, when all have. May send.
  virtual void eosnotify(ssize_t /*input*/ = -1) {}
  virtual int nodeInit() { return 0; }
  virtual void nodeEnd() {}

  /// The number of the node among its siblings in a farm or an all-to-all, or among the stages of a
  /// pipeline.
  virtual ssize_t get_my_id() const { return id_; }

  virtual std::size_t get_num_inchannels() const { return place_ != nullptr ? place_->told_inputs : 0; }
  virtual std::size_t get_num_outchannels() const { return place_ != nullptr ? place_->outputs : 0; }
  virtual std::size_t get_num_feedbackchannels() const { return place_ != nullptr ? place_->feedback : 0; }

  virtual bool isMultiInput() const { return false; }
  virtual bool isMultiOutput() const { return false; }
  virtual bool isAll2All() const { return false; }
  virtual bool isFarm() const { return false; }
  virtual bool isOFarm() const { return false; }
  virtual bool isComp() const { return false; }
  virtual bool isPipe() const { return false; }

  /// Sends a task before `svc` returns, to whichever consumer is next. @return false if there was
  /// no room
  virtual bool ff_send_out(void* task, int /*id*/ = -1, unsigned long retry = static_cast<unsigned long>(-1),
                           unsigned long /*ticks*/ = TICKS2WAIT) {
    return place_ != nullptr && place_->send(task, -1, retry);
  }

  // ---- groups: parts of a network that are processes of their own ----

  /// Makes a group, and puts the block into it. If `<<` then puts parts of the block into the
  /// group, the others are in no group. In a process that is no group, groups have no effect.
  ///
  /// Mistakes are found when the network runs. (F2 §3, figure 6)
  /// @param host where it should run; the configuration says where it does
  GroupInterface createGroup(const std::string& name, const std::string& host = "");

  // ---- nodes that run by themselves, connected by queues ----

  /// The queue that the node takes from, if `create_input_buffer` has made one, and that to which
  /// it sends. In a network that runs, or has run: one that tells how much waits in the node's
  /// channels, at the end of its last step, and holds no tasks. Else null.
  virtual FFBUFFER* get_in_buffer() const;
  virtual FFBUFFER* get_out_buffer() const;
  /// Adds the nodes that send to what stands behind this block. For an ff_monode that runs: those
  /// to which it sends, but by feedback channels.
  virtual void get_out_nodes(svector<ff_node*>& nodes);
  /// Adds the nodes to which an ff_monode that runs sends by feedback channels.
  virtual void get_out_nodes_feedback(svector<ff_node*>& nodes);

  /// Asks for a processor, which is not always granted.
  virtual void setAffinity(int cpu) { cpu_ = cpu; }
  virtual int getCPUId() const { return cpu_; }
  /// The system's number of the thread that has begun the last run of the node; 0: none has.
  virtual std::size_t getOSThreadId() const { return thread_; }
  virtual std::size_t getTid() const { return thread_; }

  virtual double ffTime();
  virtual double ffwTime();
  virtual double wffTime();
  /// Prints the time of the last run. Of a block that was run and has ended: also weir's report,
  /// with the work of each node.
  virtual void ffStats(std::ostream& out);
  virtual const timeval getstarttime() const;
  virtual const timeval getstoptime() const;
  virtual const timeval getwstartime() const;
  virtual const timeval getwstoptime() const;

  /// If the program defines FF_TASK_CALLBACK: called before each call of `svc`, and after each
  /// task that was sent to one consumer.
  virtual void callbackIn(void* = nullptr) {}
  virtual void callbackOut(void* = nullptr) {}

  // The members below are protected in FastFlow. Programs make them public where they need them.

  void* const GO_ON = FF_GO_ON;
  void* const EOS = FF_EOS;
  void* const EOSW = FF_EOSW;
  void* const GO_OUT = FF_GO_OUT;
  void* const EOS_NOFREEZE = FF_EOS_NOFREEZE;
  void* const FLUSH = FF_FLUSH;
  void* const BLK = FF_BLK;
  void* const NBLK = FF_NBLK;

  virtual ssize_t get_channel_id() const { return -1; }
  virtual void set_id(ssize_t id) { id_ = id; }
  virtual void skipfirstpop(bool skip) { skips_first_pop_ = skip; }
  bool skipfirstpop() const { return skips_first_pop_; }
  virtual void input_active(bool active) {
    if (place_ != nullptr) place_->set_input_active(active);
  }
  virtual void propagateEOS(void* /*how*/ = nullptr) {
    if (place_ != nullptr) place_->propagate_end();
  }

  /// @return 0; -1 if there is one already
  virtual int create_input_buffer(int slots, bool fixed = true);
  virtual int create_output_buffer(int slots, bool fixed = false);
  /// Takes from the queue `from`, or from that to which `from` sends.
  virtual int set_input_buffer(FFBUFFER* from);
  virtual int set_input(ff_node* from);
  virtual int set_input(const svector<ff_node*>& from);
  /// Sends to the queue `to`, or to that from which `to` takes.
  virtual int set_output_buffer(FFBUFFER* to);
  virtual int set_output(ff_node* to);
  virtual int set_output(const svector<ff_node*>& to);
  /// Changes the length of the queue of a node that runs by itself. Within a network it changes
  /// only the length that is told: there the block sets the lengths before it runs.
  /// @param before gets the length that the queue had @return whether there is such a queue
  virtual bool change_inputqueuesize(std::size_t slots, std::size_t& before);
  virtual bool change_outputqueuesize(std::size_t slots, std::size_t& before);
  // Whoever waits, sleeps.
  template <typename... Args>
  bool init_blocking_stuff(Args&&...) {
    return true;
  }
  void reset_blocking_out() {}

  virtual void blocking_mode(bool = true) {}
  virtual void no_mapping() {}
  virtual void no_barrier() {}

  /// Runs the block, or one that is a network by itself.
  virtual int run(bool skip_init = false);
  virtual int run_and_wait_end();
  virtual int run_then_freeze(ssize_t workers = -1);
  virtual int wait();
  virtual int wait_freezing();
  virtual void stop();
  virtual int freeze(ssize_t workers = -1);
  virtual int thaw(bool freeze_again = false, ssize_t workers = -1);
  virtual bool done() const;
  virtual bool isfrozen() const;

 protected:
  friend class detail::lowering;
  friend class detail::sharing_place;
  friend class ff_pipeline;
  friend class ff_farm;
  friend class ff_a2a;
  friend class ff_comb;
  friend class ff_buffernode;

  /// Sets the types of the tasks that the node takes and sends, for those that go to other
  /// processes. Null: unknown.
  void set_task_types(const weir::item_type* taken, const weir::item_type* sent) {
    taken_ = taken;
    sent_ = sent;
  }

  detail::place* place_ = nullptr;  ///< null while the node doesn't run

 private:
  friend struct GroupInterface;

  int run_and_freeze();

  ssize_t id_ = -1;
  int cpu_ = -1;
  bool skips_first_pop_ = false;
  timeval started_{};
  timeval stopped_{};
  std::size_t thread_ = 0;
  const weir::item_type* taken_ = nullptr;
  const weir::item_type* sent_ = nullptr;
  std::unique_ptr<detail::runs> runs_;
  std::unique_ptr<detail::node_queues> queues_;
  std::unique_ptr<detail::node_groups> groups_;
};

namespace detail {

/// Lets a node send, and look around, in the place of another one, as long as this object exists.
class WEIR_API sharing_place {
 public:
  sharing_place(const ff_node& from, ff_node& with);
  sharing_place(const sharing_place&) = delete;
  sharing_place& operator=(const sharing_place&) = delete;
  ~sharing_place();

 private:
  ff_node& with_;
};

}  // namespace detail

/// A group of blocks that run in one process (F2 §3). It has no state of its own: copies are the
/// same group.
struct WEIR_API GroupInterface {
  explicit GroupInterface(std::string of, ff_node* made_from = nullptr) : name(std::move(of)), base(made_from) {}

  /// Puts a block, with all that is in it, into the group.
  GroupInterface& operator<<(ff_node* node);
  GroupInterface& operator<<(ff_node& node) { return *this << &node; }

  std::string name;
  ff_node* base;  ///< the block from which the group was made; null: none
};

inline GroupInterface createGroup(const std::string& name, const std::string& /*host*/ = "") {
  return GroupInterface(name);
}

namespace detail {
WEIR_FF_TYPED_BEGIN

/// A node whose tasks have types.
template <class Base, typename IN_t, typename OUT_t>
struct typed_node : Base, sentinels<OUT_t> {
  typedef IN_t in_type;
  typedef OUT_t out_type;

  using sentinels<OUT_t>::GO_ON;
  using sentinels<OUT_t>::EOS;
  using sentinels<OUT_t>::EOSW;
  using sentinels<OUT_t>::GO_OUT;
  using sentinels<OUT_t>::EOS_NOFREEZE;
  using sentinels<OUT_t>::FLUSH;
  using sentinels<OUT_t>::BLK;
  using sentinels<OUT_t>::NBLK;

#ifdef DFF_ENABLED
  typed_node() { this->set_task_types(type_of_task<IN_t>(), type_of_task<OUT_t>()); }
#endif

  virtual OUT_t* svc(IN_t* task) = 0;
  void* svc(void* task) override { return const_cast<void*>(static_cast<const void*>(svc(static_cast<IN_t*>(task)))); }
};

WEIR_FF_TYPED_END
}  // namespace detail

WEIR_FF_TYPED_BEGIN

/// A node that takes `IN_t*` and returns `OUT_t*`.
template <typename IN_t, typename OUT_t = IN_t>
struct ff_node_t : detail::typed_node<ff_node, IN_t, OUT_t> {};

/// A node that calls a function: `OUT_t* f(IN_t*, ff_node* const)`.
template <typename IN_t, typename OUT_t = IN_t>
struct ff_node_F : ff_node_t<IN_t, OUT_t> {
  typedef std::function<OUT_t*(IN_t*, ff_node* const)> function;

  explicit ff_node_F(function f) : f_(std::move(f)) {}
  template <class F>
  explicit ff_node_F(F f) : f_(std::move(f)) {}

  OUT_t* svc(IN_t* task) override { return f_(task, this); }

  function f_;
};

WEIR_FF_TYPED_END

}  // namespace ff

#include <weir/export.hpp>

#include <ff/thread.hpp>

#endif
