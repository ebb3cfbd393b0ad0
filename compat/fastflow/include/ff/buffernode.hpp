// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_BUFFERNODE_HPP
#define WEIR_FF_BUFFERNODE_HPP

#include <weir/export.hpp>

#include <ff/node.hpp>

namespace ff {

/// A queue of tasks that is a node: nodes which are run one by one are connected by such queues.
/// Any thread may put and get.
class WEIR_API ff_buffernode : public ff_node {
 public:
  ff_buffernode() : ff_buffernode(0) {}
  explicit ff_buffernode(int id) : ff_buffernode(0, false, id) {}
  ff_buffernode(int slots, bool fixed, int id = -1) {
    create_input_buffer(slots, fixed);
    set_id(id);
  }

  /// Makes the queue anew. Only before it is used.
  void set(int slots, bool fixed = false, int id = -1);

  /// @return false if there is no room
  virtual bool put(void* task) { return get_in_buffer()->push(task); }
  /// @return false if there is no task now
  virtual bool get(void** task) { return get_in_buffer()->pop(task); }
  /// Waits for a task.
  /// @param retry how often to try; -1: until there is one
  /// @return false if there is none
  bool gather_task(void** task, unsigned long retry = static_cast<unsigned long>(-1),
                   unsigned long /*ticks*/ = TICKS2WAIT);
  template <typename T>
  bool gather_task(T*& task, unsigned long retry = static_cast<unsigned long>(-1), unsigned long ticks = TICKS2WAIT) {
    return gather_task(reinterpret_cast<void**>(&task), retry, ticks);
  }
  /// Waits for room.
  /// @param retry how often to try; -1: until there is room
  /// @return false if there is none
  bool ff_send_out(void* task, int = -1, unsigned long retry = static_cast<unsigned long>(-1),
                   unsigned long = TICKS2WAIT) override;
  FFBUFFER* get_out_buffer() const override { return get_in_buffer(); }

  void* svc(void*) override { return nullptr; }
};

}  // namespace ff

#endif
