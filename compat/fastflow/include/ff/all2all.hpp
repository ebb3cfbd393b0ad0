// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_ALL2ALL_HPP
#define WEIR_FF_ALL2ALL_HPP

#include <weir/export.hpp>

#include <ff/farm.hpp>

#include <vector>

namespace ff {

/// Two sets of nodes. Each node of the first set sends to all nodes of the second.
class WEIR_API ff_a2a : public ff_node {
 public:
  explicit ff_a2a(bool reduce_channels = false, int in_buffer_entries = DEF_IN_BUFF_ENTRIES,
                  int out_buffer_entries = DEF_OUT_BUFF_ENTRIES, bool fixed_size = FF_FIXED_SIZE);
  ff_a2a(const ff_a2a& other);
  ~ff_a2a() override;

  /// @param ondemand bounds the channels to the second set to so many tasks; 0: not
  /// @return 0; -1 if the set is there already, or empty
  template <typename T>
  int add_firstset(const std::vector<T*>& nodes, int ondemand = 0, bool cleanup = false) {
    return add(first_, std::vector<ff_node*>(nodes.begin(), nodes.end()), ondemand, cleanup);
  }
  template <typename T>
  int add_secondset(const std::vector<T*>& nodes, bool cleanup = false) {
    return add(second_, std::vector<ff_node*>(nodes.begin(), nodes.end()), 0, cleanup);
  }
  template <typename T>
  int change_firstset(const std::vector<T*>& nodes, int ondemand = 0, bool cleanup = false,
                      bool remove_from_cleanuplist = false) {
    if (remove_from_cleanuplist) this->remove_from_cleanuplist(first_);
    first_.clear();
    return add_firstset(nodes, ondemand, cleanup);
  }
  template <typename T>
  int change_secondset(const std::vector<T*>& nodes, bool cleanup = false, bool remove_from_cleanuplist = false) {
    if (remove_from_cleanuplist) this->remove_from_cleanuplist(second_);
    second_.clear();
    return add_secondset(nodes, cleanup);
  }
  const svector<ff_node*>& getFirstSet() const { return first_; }
  const svector<ff_node*>& getSecondSet() const { return second_; }
  void remove_from_cleanuplist(const svector<ff_node*>& nodes);
  bool change_node(ff_node* old, ff_node* other, bool cleanup = false, bool remove_from_cleanuplist = false);

  /// Leads what the second set sends back to the first.
  int wrap_around();
  bool isset_wraparound() const { return wraps_around_; }

  int run(bool skip_init = false) override { return ff_node::run(skip_init); }
  int run_and_wait_end() override { return ff_node::run_and_wait_end(); }
  int run_then_freeze(ssize_t workers = -1) override { return ff_node::run_then_freeze(workers); }
  int wait() override { return ff_node::wait(); }
  int wait_freezing() override { return ff_node::wait_freezing(); }
  void stop() override { ff_node::stop(); }
  int freeze(ssize_t workers = -1) override { return ff_node::freeze(workers); }
  int thaw(bool freeze_again = false, ssize_t workers = -1) override { return ff_node::thaw(freeze_again, workers); }
  bool done() const override { return ff_node::done(); }
  int dryrun();

  int cardinality() const;
  int numThreads() const { return cardinality(); }

  int ondemand_buffer() const { return ondemand_; }
  void setFixedSize(bool fixed) { fixed_size_ = fixed; }
  void blocking_mode(bool blocking = true) override { ff_node::blocking_mode(blocking); }
  void no_mapping() override { ff_node::no_mapping(); }
  void no_barrier() override { ff_node::no_barrier(); }

  bool isMultiInput() const override { return true; }
  bool isMultiOutput() const override { return true; }
  bool isAll2All() const override { return true; }

  void* svc(void*) override { return nullptr; }

 private:
  friend class detail::lowering;
  friend class detail::transformation;
  friend class ff_pipeline;

  int add(svector<ff_node*>& to, const std::vector<ff_node*>& nodes, int ondemand, bool cleanup);

  svector<ff_node*> first_;
  svector<ff_node*> second_;
  std::vector<ff_node*> owned_;
  bool wraps_around_ = false;
  bool fixed_size_;
  int ondemand_ = 0;
  int in_entries_;
  int out_entries_;
};

}  // namespace ff

#endif
