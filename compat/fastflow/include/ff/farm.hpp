// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_FARM_HPP
#define WEIR_FF_FARM_HPP

#include <weir/export.hpp>

#include <ff/gt.hpp>
#include <ff/lb.hpp>
#include <ff/pipeline.hpp>

#include <cassert>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ff {

/// Workers among which the tasks are distributed.
class WEIR_API ff_farm : public ff_node {
 public:
  typedef ff_loadbalancer lb_t;
  typedef ff_gatherer gt_t;

  enum { DEF_IN_OUT_DIFF = 128 };

  /// A farm with a collector: `remove_collector` makes one without. Nothing is owned, but for
  /// `cleanup_workers` and its kin.
  ff_farm(const std::vector<ff_node*>& workers, ff_node* emitter = nullptr, ff_node* collector = nullptr,
          bool input_ch = false, bool fixed_size = FF_FIXED_SIZE, int buffer_entries = DEF_IN_BUFF_ENTRIES);
  ff_farm(const std::vector<ff_node*>& workers, ff_node& emitter, ff_node& collector, bool input_ch = false)
      : ff_farm(workers, &emitter, &collector, input_ch) {}
  /// A farm without a collector.
  explicit ff_farm(bool input_ch = false, int in_buffer_entries = DEF_IN_BUFF_ENTRIES,
                   int out_buffer_entries = DEF_OUT_BUFF_ENTRIES, bool worker_cleanup = false,
                   std::size_t max_num_workers = DEF_MAX_NUM_WORKERS, bool fixed_size = FF_FIXED_SIZE);
  ff_farm(const ff_farm& other);
  ~ff_farm() override;

  /// @return 0; -1 if there are too many, or none
  int add_workers(const std::vector<ff_node*>& workers);
  int add_emitter(ff_node* emitter);
  template <typename T, std::enable_if_t<std::is_base_of_v<ff_node, T>, int> = 0>
  int add_emitter(const T& emitter) {
    return add_emitter(own(new T(emitter)));
  }
  int change_emitter(ff_node* emitter, bool cleanup = false);
  template <typename T, std::enable_if_t<std::is_base_of_v<ff_node, T>, int> = 0>
  int change_emitter(const T& emitter, bool /*cleanup*/ = true) {
    return change_emitter(new T(emitter), true);
  }
  /// @param collector null: one that only passes tasks on
  int add_collector(ff_node* collector, bool cleanup = false);
  template <typename T, std::enable_if_t<std::is_base_of_v<ff_node, T>, int> = 0>
  int add_collector(const T& collector) {
    return add_collector(new T(collector), true);
  }
  int remove_collector();
  int change_workers(const std::vector<ff_node*>& workers);

  bool change_node(ff_node* old, ff_node* other, bool cleanup = false, bool remove_from_cleanuplist = false);
  void cleanup_workers(bool yes = true) { cleanup_workers_ = yes; }
  void cleanup_emitter(bool yes = true) { cleanup_emitter_ = yes; }
  void cleanup_collector(bool yes = true) { cleanup_collector_ = yes; }
  bool isset_cleanup_workers() const { return cleanup_workers_; }
  bool isset_cleanup_emitter() const { return cleanup_emitter_; }
  bool isset_cleanup_collector() const { return cleanup_collector_; }
  void cleanup_all() { cleanup_workers_ = cleanup_emitter_ = cleanup_collector_ = true; }

  /// Bounds the channels to the workers to `n` tasks, so that tasks go to workers that are free.
  void set_scheduling_ondemand(int n = 1) { ondemand_ = n <= 0 ? 1 : n; }
  int ondemand_buffer() const { return ondemand_; }
  /// Makes the results come in the order of the tasks.
  void set_ordered(std::size_t memory = DEF_OFARM_ONDEMAND_MEMORY) {
    FF_IGNORE_UNUSED(memory);
    ordered_ = true;
  }
  bool isset_ordered() const { return ordered_; }

  /// Leads the results back to the emitter: those of the collector or, if there is none yet, of the
  /// workers. With both, tasks go back from the workers and from the collector.
  int wrap_around(bool several_inputs = false);
  bool isset_wraparound() const { return workers_wrap_ || collector_wraps_; }

  const svector<ff_node*>& getWorkers() const { return workers_; }
  std::size_t getNWorkers() const { return workers_.size(); }
  ff_node* getEmitter() const { return emitter_; }
  ff_node* getCollector() const { return collector_; }
  bool hasCollector() const { return has_collector_ || ordered_; }
  ff_loadbalancer* getlb() const { return lb_.get(); }
  ff_gatherer* getgt() const { return gt_.get(); }
  /// Replaces the load balancer.
  void setlb(ff_loadbalancer* lb, bool cleanup = false);
  void setgt(ff_gatherer* gt, bool cleanup = false);

  int run(bool skip_init = false) override { return ff_node::run(skip_init); }
  int run_and_wait_end() override { return ff_node::run_and_wait_end(); }
  /// @param workers the first so many workers take part; -1: all
  int run_then_freeze(ssize_t workers = -1) override {
    active_workers_ = workers;
    return ff_node::run_then_freeze(workers);
  }
  int wait() override { return ff_node::wait(); }
  int wait_freezing() override { return ff_node::wait_freezing(); }
  int wait_collector() { return wait(); }
  int dryrun();
  ssize_t get_channel_id() const override { return getgt()->get_channel_id(); }
  void stop() override { ff_node::stop(); }
  int freeze(ssize_t workers = -1) override { return ff_node::freeze(workers); }
  int thaw(bool freeze_again = false, ssize_t workers = -1) override {
    active_workers_ = workers;
    return ff_node::thaw(freeze_again, workers);
  }
  bool done() const override { return ff_node::done(); }

  bool offload(void* task, unsigned long retry = static_cast<unsigned long>(-1), unsigned long ticks = TICKS2WAIT);
  bool load_result(void** task, unsigned long retry = static_cast<unsigned long>(-1), unsigned long ticks = TICKS2WAIT);
  bool load_result_nb(void** task);

  int cardinality() const;
  int numThreads() const { return cardinality(); }

  void setFixedSize(bool fixed) { fixed_size_ = fixed; }
  void setInputQueueLength(int length, bool fixed_size) {
    in_entries_ = length;
    fixed_size_ = fixed_size;
  }
  void setOutputQueueLength(int length, bool fixed_size) {
    out_entries_ = length;
    fixed_out_ = fixed_size;
  }

  void blocking_mode(bool blocking = true) override { ff_node::blocking_mode(blocking); }
  void no_mapping() override { ff_node::no_mapping(); }
  void no_barrier() override { ff_node::no_barrier(); }

  bool isMultiInput() const override { return true; }
  bool isMultiOutput() const override;
  bool isFarm() const override { return true; }
  bool isOFarm() const override { return ordered_; }

  void* svc(void*) override { return nullptr; }

  void* const EOS = FF_EOS;
  void* const GO_ON = FF_GO_ON;

 protected:
  ff_node* own(ff_node* node) {
    owned_.push_back(node);
    return node;
  }
  void set_max_workers(std::size_t most) { most_workers_ = most; }

 private:
  friend class detail::lowering;
  friend class detail::transformation;
  friend class ff_pipeline;

  // The load balancer and the gatherer belong to this farm from now on.
  void take_helpers();
  void place_emitter(ff_node* emitter);

  svector<ff_node*> workers_;
  ff_node* emitter_ = nullptr;
  ff_node* collector_ = nullptr;
  std::vector<ff_node*> owned_;
  std::unique_ptr<ff_loadbalancer, void (*)(ff_loadbalancer*)> lb_;
  std::unique_ptr<ff_gatherer, void (*)(ff_gatherer*)> gt_;
  std::size_t most_workers_ = 0;
  ssize_t active_workers_ = -1;  // of the next run; -1: all
  bool has_input_ = false;
  bool has_collector_ = false;
  bool workers_wrap_ = false;
  bool collector_wraps_ = false;
  bool ordered_ = false;
  bool cleanup_workers_ = false;
  bool cleanup_emitter_ = false;
  bool cleanup_collector_ = false;
  bool fixed_size_ = false;
  bool fixed_out_ = false;
  int ondemand_ = 0;
  int in_entries_ = 0;
  int out_entries_ = 0;
};

WEIR_FF_TYPED_BEGIN

/// A farm that owns its workers.
template <typename IN_t = void, typename OUT_t = IN_t>
class ff_Farm : public ff_farm {
 public:
  typedef IN_t in_type;
  typedef OUT_t out_type;

  ff_Farm(std::vector<std::unique_ptr<ff_node>>&& workers, std::unique_ptr<ff_node> emitter = nullptr,
          std::unique_ptr<ff_node> collector = nullptr, bool input_ch = false)
      : ff_farm(input_ch) {
    set_max_workers(workers.size());
    take(workers);
    if (emitter != nullptr) ff_farm::add_emitter(own(emitter.release()));
    ff_farm::add_collector(collector != nullptr ? own(collector.release()) : nullptr);
  }
  ff_Farm(std::vector<std::unique_ptr<ff_node>>&& workers, ff_node& emitter, ff_node& collector, bool input_ch = false)
      : ff_farm(input_ch) {
    set_max_workers(workers.size());
    take(workers);
    ff_farm::add_emitter(&emitter);
    ff_farm::add_collector(&collector);
  }
  ff_Farm(std::vector<std::unique_ptr<ff_node>>&& workers, ff_node& emitter, bool input_ch = false)
      : ff_farm(input_ch) {
    set_max_workers(workers.size());
    take(workers);
    ff_farm::add_emitter(&emitter);
    ff_farm::add_collector(nullptr);
  }
  ff_Farm(std::vector<std::unique_ptr<ff_node>>&& workers, bool input_ch)
      : ff_Farm(std::move(workers), nullptr, nullptr, input_ch) {}
  /// `workers` copies of a function.
  template <typename F, std::enable_if_t<std::is_invocable_v<F, IN_t*, ff_node* const>, int> = 0>
  ff_Farm(F f, std::size_t workers, bool input_ch = false) : ff_farm(input_ch) {
    set_max_workers(workers);
    std::vector<ff_node*> made;
    for (std::size_t i = 0; i != workers; ++i) made.push_back(own(new ff_node_F<IN_t, OUT_t>(f)));
    ff_farm::add_workers(made);
    ff_farm::add_collector(nullptr);
  }

  int add_emitter(ff_node& emitter) { return ff_farm::add_emitter(&emitter); }
  int add_collector(ff_node& collector) {
    ff_farm::remove_collector();
    return ff_farm::add_collector(&collector);
  }
  int add_collector() { return ff_farm::hasCollector() ? 0 : ff_farm::add_collector(nullptr); }

  bool load_result(OUT_t*& task, unsigned long retry = static_cast<unsigned long>(-1),
                   unsigned long ticks = TICKS2WAIT) {
    return ff_farm::load_result(reinterpret_cast<void**>(&task), retry, ticks);
  }
  bool load_result_nb(OUT_t*& task) { return ff_farm::load_result_nb(reinterpret_cast<void**>(&task)); }
  bool load_result(void** task, unsigned long retry = static_cast<unsigned long>(-1),
                   unsigned long ticks = TICKS2WAIT) {
    return ff_farm::load_result(task, retry, ticks);
  }
  bool load_result_nb(void** task) { return ff_farm::load_result_nb(task); }

 private:
  void take(std::vector<std::unique_ptr<ff_node>>& workers) {
    std::vector<ff_node*> made;
    for (auto& each : workers) made.push_back(own(each.release()));
    ff_farm::add_workers(made);
  }
};

/// ff_Farm whose results come in the order of the tasks.
template <typename IN_t = void, typename OUT_t = IN_t>
class ff_OFarm : public ff_Farm<IN_t, OUT_t> {
 public:
  ff_OFarm(std::vector<std::unique_ptr<ff_node>>&& workers, std::unique_ptr<ff_node> emitter = nullptr,
           std::unique_ptr<ff_node> collector = nullptr, bool input_ch = false)
      : ff_Farm<IN_t, OUT_t>(std::move(workers), std::move(emitter), std::move(collector), input_ch) {
    this->set_ordered();
  }
  ff_OFarm(std::vector<std::unique_ptr<ff_node>>&& workers, ff_node& emitter, ff_node& collector, bool input_ch = false)
      : ff_Farm<IN_t, OUT_t>(std::move(workers), emitter, collector, input_ch) {
    this->set_ordered();
  }
  ff_OFarm(std::vector<std::unique_ptr<ff_node>>&& workers, ff_node& emitter, bool input_ch = false)
      : ff_Farm<IN_t, OUT_t>(std::move(workers), emitter, input_ch) {
    this->set_ordered();
  }
  ff_OFarm(std::vector<std::unique_ptr<ff_node>>&& workers, bool input_ch)
      : ff_Farm<IN_t, OUT_t>(std::move(workers), input_ch) {
    this->set_ordered();
  }
  template <typename F, std::enable_if_t<std::is_invocable_v<F, IN_t*, ff_node* const>, int> = 0>
  ff_OFarm(F f, std::size_t workers, bool input_ch = false) : ff_Farm<IN_t, OUT_t>(f, workers, input_ch) {
    this->set_ordered();
  }

  void setEmitterF(ff_node& emitter) { this->add_emitter(emitter); }
  void setCollectorF(ff_node& collector) { this->add_collector(collector); }
};

WEIR_FF_TYPED_END

/// The older name of ff_farm with set_ordered.
class ff_ofarm : public ff_farm {
 public:
  explicit ff_ofarm(bool input_ch = false, int in_buffer_entries = DEF_IN_BUFF_ENTRIES,
                    int out_buffer_entries = DEF_OUT_BUFF_ENTRIES, bool worker_cleanup = false,
                    std::size_t max_num_workers = DEF_MAX_NUM_WORKERS, bool fixed_size = FF_FIXED_SIZE)
      : ff_farm(input_ch, in_buffer_entries, out_buffer_entries, worker_cleanup, max_num_workers, fixed_size) {
    set_ordered();
  }
  void setEmitterF(ff_node* emitter) { add_emitter(emitter); }
  void setCollectorF(ff_node* collector) { add_collector(collector); }
};

}  // namespace ff

#endif
