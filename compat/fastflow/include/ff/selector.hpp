// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_SELECTOR_HPP
#define WEIR_FF_SELECTOR_HPP

#include <ff/node.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace ff {
WEIR_FF_TYPED_BEGIN

/// A node that is one of several: `selectNode` says which one gets the next task.
template <typename IN_t, typename OUT_t = IN_t>
class ff_nodeSelector : public ff_node_t<IN_t, OUT_t> {
 public:
  ff_nodeSelector() = default;
  explicit ff_nodeSelector(const IN_t& task) : task_(const_cast<IN_t*>(&task)) {}
  template <typename... Nodes,
            std::enable_if_t<(sizeof...(Nodes) != 0 && !(std::is_same_v<detail::bare<Nodes>, IN_t> || ...) &&
                              !(std::is_same_v<detail::bare<Nodes>, ff_nodeSelector> || ...)),
                             int> = 0>
  explicit ff_nodeSelector(Nodes&&... nodes) {
    (addNode(std::forward<Nodes>(nodes)), ...);
  }

  /// Sets the task for runs without input.
  void setTask(const IN_t& task) { task_ = const_cast<IN_t*>(&task); }
  void selectNode(std::size_t which) { selected_ = which; }
  std::size_t addNode(ff_node& node) {
    nodes_.push_back(&node);
    return nodes_.size() - 1;
  }
  std::size_t addNode(ff_node* node) { return addNode(*node); }
  std::size_t addNode(std::unique_ptr<ff_node>&& node) {
    owned_.push_back(std::move(node));
    return addNode(*owned_.back());
  }
  ff_node* getNode(std::size_t which) const { return which < nodes_.size() ? nodes_[which] : nullptr; }
  std::size_t numNodes() const { return nodes_.size(); }

  int nodeInit() override {
    if (nodes_.empty()) return -1;
    for (ff_node* const each : nodes_) {
      if (each->nodeInit() < 0) return -1;
    }
    return 0;
  }
  void nodeEnd() override {
    for (ff_node* const each : nodes_) each->nodeEnd();
  }
  int svc_init() override { return nodeInit(); }
  void svc_end() override { nodeEnd(); }

  OUT_t* svc(IN_t* task) override {
    ff_node& selected = *nodes_.at(selected_);
    const detail::sharing_place shared(*this, selected);
    if (task != nullptr) return static_cast<OUT_t*>(selected.svc(task));
    selected.svc(task_);
    return this->EOS;
  }

 private:
  std::vector<ff_node*> nodes_;
  std::vector<std::unique_ptr<ff_node>> owned_;
  IN_t* task_ = nullptr;
  std::size_t selected_ = 0;
};

WEIR_FF_TYPED_END
}  // namespace ff

#endif
