// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_THREAD_HPP
#define WEIR_FF_THREAD_HPP

#include <weir/export.hpp>

#include <ff/node.hpp>

#include <atomic>
#include <thread>

namespace ff {

/// A thread of the program: `svc` is called with null until it returns something other than
/// `GO_ON`. One thread calls `spawn` and `wait`.
class WEIR_API ff_thread {
 public:
  ff_thread() = default;
  ff_thread(const ff_thread&) = delete;
  ff_thread& operator=(const ff_thread&) = delete;
  virtual ~ff_thread() { wait(); }

  virtual void* svc(void* task) = 0;
  virtual int svc_init() { return 0; }
  virtual void svc_end() {}

  /// @return a number of the processor asked for; -1: any, or a thread runs already
  int spawn(int cpu = -1) {
    if (thread_.joinable()) return -1;
    done_ = false;
    thread_ = std::thread([this] {
      if (svc_init() >= 0) {
        void* result = nullptr;
        do {
          result = svc(nullptr);
        } while (result == FF_GO_ON);
        svc_end();
      }
      done_ = true;
    });
    return cpu;
  }
  /// Waits for the end of the thread.
  int wait() {
    if (thread_.joinable()) thread_.join();
    return 0;
  }
  bool done() const { return done_; }

 private:
  std::thread thread_;
  std::atomic<bool> done_{true};
};

}  // namespace ff

#endif
