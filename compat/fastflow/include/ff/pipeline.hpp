// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_PIPELINE_HPP
#define WEIR_FF_PIPELINE_HPP

#include <weir/export.hpp>

#include <ff/detail/comb.hpp>

#include <cassert>
#include <type_traits>
#include <vector>

namespace ff {
namespace detail {
class transformation;
}  // namespace detail

/// Stages, each of which takes what the one before it sends.
class WEIR_API ff_pipeline : public ff_node {
 public:
  /// @param input_ch whether other threads send tasks in, by `offload`
  explicit ff_pipeline(bool input_ch = false, int in_buffer_entries = DEF_IN_BUFF_ENTRIES,
                       int out_buffer_entries = DEF_OUT_BUFF_ENTRIES, bool fixed_size = FF_FIXED_SIZE);
  /// Has the same stages. Those that `other` owns, it owns from now on.
  ff_pipeline(const ff_pipeline& other);
  ~ff_pipeline() override;

  /// Adds a stage, which must live as long as the pipeline, unless `cleanup`. @return 0; -1 if it
  /// is null
  int add_stage(ff_node* stage, bool cleanup = false);
  template <typename T, std::enable_if_t<std::is_base_of_v<ff_node, T>, int> = 0>
  int add_stage(T* stage, bool cleanup = false) {
    return add_stage(static_cast<ff_node*>(stage), cleanup);
  }
  /// Adds a copy.
  template <typename T, std::enable_if_t<std::is_base_of_v<ff_node, T>, int> = 0>
  int add_stage(const T& stage) {
    return add_stage(static_cast<ff_node*>(new T(stage)), true);
  }
  template <typename T, std::enable_if_t<std::is_base_of_v<ff_node, T>, int> = 0>
  int add_stage(std::unique_ptr<T>&& stage) {
    return add_stage(static_cast<ff_node*>(stage.release()), true);
  }

  bool change_node(ff_node* old, ff_node* other, bool cleanup = false, bool remove_from_cleanuplist = false);
  void insert_stage(int position, ff_node* stage, bool cleanup = false);
  void remove_stage(int position, bool remove_from_cleanuplist = false);
  const svector<ff_node*>& getStages() const { return stages_; }
  ff_node* get_stage(std::size_t i) const { return stages_[i]; }
  ff_node* get_firststage() const { return stages_.empty() ? nullptr : stages_.front(); }
  ff_node* get_laststage() const { return stages_.empty() ? nullptr : stages_.back(); }
  /// The node, not a block, that comes last.
  ff_node* get_lastnode() const;
  ff_node* get_node(std::size_t i) const { return i < stages_.size() ? stages_[i] : nullptr; }
  /// The number of a stage; -1: it is none.
  int get_stageindex(const ff_node* stage) const;
  /// The stage behind another one, and that before it; null: there is none.
  ff_node* get_nextstage(const ff_node* stage) const;
  ff_node* get_prevstage(const ff_node* stage) const;
  /// The stages, with those of pipelines in their place.
  svector<ff_node*> get_pipeline_nodes() const;
  /// Puts the stages of pipelines in their place. The queues have the lengths that this one says.
  void flatten();
  void cleanup_nodes(bool yes = true) { cleanup_ = yes; }
  bool isset_cleanup_nodes() const { return cleanup_; }
  void remove_from_cleanuplist(const svector<ff_node*>& nodes);

  /// Leads what the last stage sends back to the first one.
  int wrap_around();
  bool isset_wraparound() const { return wraps_around_; }

  int run(bool skip_init = false) override { return ff_node::run(skip_init); }
  int run_and_wait_end() override { return ff_node::run_and_wait_end(); }
  int run_then_freeze(ssize_t workers = -1) override { return ff_node::run_then_freeze(workers); }
  int wait() override { return ff_node::wait(); }
  int wait_freezing() override { return ff_node::wait_freezing(); }
  int wait_last() { return wait(); }
  void stop() override { ff_node::stop(); }
  int freeze(ssize_t workers = -1) override { return ff_node::freeze(workers); }
  int thaw(bool freeze_again = false, ssize_t workers = -1) override { return ff_node::thaw(freeze_again, workers); }
  bool done() const override { return ff_node::done(); }
  int dryrun();

  /// Sends a task in. `EOS` ends the stream.
  bool offload(void* task, unsigned long retry = static_cast<unsigned long>(-1), unsigned long ticks = TICKS2WAIT);
  /// Receives a result. @return false at the end of the stream
  bool load_result(void** task, unsigned long retry = static_cast<unsigned long>(-1), unsigned long ticks = TICKS2WAIT);
  /// Receives a result, or `EOS`, if there is one now.
  bool load_result_nb(void** task);

  int cardinality() const;
  int numThreads() const { return cardinality(); }

  void setFixedSize(bool fixed) { fixed_size_ = fixed; }
  /// Bounds the channels between the stages.
  void setXNodeInputQueueLength(int length, bool fixed_size);
  void setXNodeOutputQueueLength(int length, bool fixed_size);

  void blocking_mode(bool blocking = true) override { ff_node::blocking_mode(blocking); }
  void no_mapping() override { ff_node::no_mapping(); }
  void no_barrier() override { ff_node::no_barrier(); }

  bool isMultiInput() const override { return !stages_.empty() && stages_.front()->isMultiInput(); }
  bool isMultiOutput() const override { return !stages_.empty() && stages_.back()->isMultiOutput(); }
  bool isPipe() const override { return true; }

  void* svc(void*) override { return nullptr; }

  void* const EOS = FF_EOS;
  void* const GO_ON = FF_GO_ON;

 private:
  friend class detail::lowering;
  friend class detail::transformation;

  svector<ff_node*> stages_;
  std::vector<ff_node*> owned_;
  bool cleanup_ = false;
  bool has_input_;
  bool wraps_around_ = false;
  bool fixed_size_;
  int in_entries_;
  int out_entries_ = 0;
  bool fixed_out_ = false;
};

/// A pipeline whose constructor takes the stages: references to nodes, or pointers to nodes, which
/// must live as long as the pipeline, or nodes to keep, as rvalues or std::unique_ptr.
template <typename IN_t = void, typename OUT_t = IN_t>
class ff_Pipe : public ff_pipeline {
 public:
  typedef IN_t in_type;
  typedef OUT_t out_type;

  ff_Pipe() : ff_pipeline(false) {}
  template <typename... Stages,
            std::enable_if_t<(sizeof...(Stages) != 0 && !(std::is_same_v<detail::bare<Stages>, bool> || ...)), int> = 0>
  explicit ff_Pipe(Stages&&... stages) : ff_Pipe(false, std::forward<Stages>(stages)...) {}
  template <typename... Stages>
  explicit ff_Pipe(bool input_ch, Stages&&... stages) : ff_pipeline(input_ch) {
    (add(std::forward<Stages>(stages)), ...);
  }

  /// By reference, by value or by std::unique_ptr. A pointer would not say who owns the stage.
  template <typename Stage, std::enable_if_t<!std::is_pointer_v<detail::bare<Stage>>, int> = 0>
  int add_stage(Stage&& stage) {
    add(std::forward<Stage>(stage));
    return 0;
  }
  int add_stage(ff_node* stage) = delete;

  operator ff_node*() { return this; }

  /// Sends a task in.
  bool offload(void* task, unsigned long retry = static_cast<unsigned long>(-1), unsigned long ticks = TICKS2WAIT) {
    return ff_pipeline::offload(task, retry, ticks);
  }
  bool load_result(OUT_t*& task, unsigned long retry = static_cast<unsigned long>(-1),
                   unsigned long ticks = TICKS2WAIT) {
    return ff_pipeline::load_result(reinterpret_cast<void**>(&task), retry, ticks);
  }
  bool load_result_nb(OUT_t*& task) { return ff_pipeline::load_result_nb(reinterpret_cast<void**>(&task)); }
  bool load_result(void** task, unsigned long retry = static_cast<unsigned long>(-1),
                   unsigned long ticks = TICKS2WAIT) {
    return ff_pipeline::load_result(task, retry, ticks);
  }
  bool load_result_nb(void** task) { return ff_pipeline::load_result_nb(task); }

  OUT_t* const EOS = reinterpret_cast<OUT_t*>(FF_EOS);
  OUT_t* const GO_ON = reinterpret_cast<OUT_t*>(FF_GO_ON);

 private:
  void add(ff_node* stage) { ff_pipeline::add_stage(stage, false); }
  template <typename T>
  void add(std::unique_ptr<T>&& stage) {
    ff_pipeline::add_stage(static_cast<ff_node*>(stage.release()), true);
  }
  template <typename T>
  void add(std::unique_ptr<T>& stage) {
    ff_pipeline::add_stage(static_cast<ff_node*>(stage.get()), false);
  }
  template <typename T, std::enable_if_t<std::is_base_of_v<ff_node, T>, int> = 0>
  void add(T& stage) {
    if constexpr (std::is_const_v<T>) {
      ff_pipeline::add_stage(static_cast<ff_node*>(new std::remove_const_t<T>(stage)), true);
    } else {
      ff_pipeline::add_stage(static_cast<ff_node*>(&stage), false);
    }
  }
  template <typename T, std::enable_if_t<(std::is_base_of_v<ff_node, T> && !std::is_lvalue_reference_v<T>), int> = 0>
  void add(T&& stage) {
    ff_pipeline::add_stage(static_cast<ff_node*>(new std::remove_const_t<T>(std::forward<T>(stage))), true);
  }
};

}  // namespace ff

#endif
