// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/process.hpp"

#include <atomic>
#include <memory>
#include <string_view>

namespace weir::detail {

/// Holds the lock of what belongs to the process as a whole. `fork` waits for it, so that no other
/// thread holds it in the child. A thread that holds it takes no other lock of the process, and
/// does not fork.
class process_lock {
 public:
  process_lock() noexcept;
  process_lock(const process_lock&) = delete;
  process_lock& operator=(const process_lock&) = delete;
  ~process_lock();
};

/// Functions that are called around each fork: `before` by the thread that forks, before it takes
/// the process lock, and `after` once it has released it, in the parent and in the child.
struct fork_hooks {
  void (*before)() noexcept;
  void (*after)(bool in_child) noexcept;
};

/// Has the functions called from the next fork on. There is one pair in a process. Any thread, any
/// number of times with the same pair, which lives as long as the process.
/// @throws std::runtime_error if the system has no memory to call functions at forks
void call_at_forks(const fork_hooks& hooks);

/// The one object of a kind in each process, with threads of its own: made at the first use, made
/// anew in a forked child, never destroyed, because threads may outlive main. Any thread.
template <class T>
class one_per_process {
 public:
  constexpr one_per_process() = default;

  /// Returns the object if it was made already, else null. Lock-free.
  T* find() const noexcept {
    made* const found = latest_.load(std::memory_order_acquire);  // pairs with the release in get()
    return found != nullptr && found->by.is_here() ? found->what.get() : nullptr;
  }

  /// @param make returns a std::unique_ptr<T>; called under the process lock, so it must wait for
  /// no lock that may be held by a thread which reads a variable, gives a notice or forks, such as
  /// that of dlopen
  template <class Make>
  T& get(Make&& make) {
    if (T* const one = find()) return *one;
    const process_lock lock;
    made* const found = latest_.load(std::memory_order_relaxed);
    if (found != nullptr && found->by.is_here()) return *found->what;
    auto another = std::make_unique<made>();
    another->what = make();
    another->of_parent = found;
    latest_.store(another.get(), std::memory_order_release);
    return *another.release()->what;
  }

 private:
  struct made {
    std::unique_ptr<T> what;
    process_mark by;
    made* of_parent = nullptr;
  };

  std::atomic<made*> latest_{nullptr};
};

/// An object that is made at the first use and never destroyed. Any thread. Two threads may both
/// make one; the first that is ready counts. In place of a static variable of a function: a child
/// that is forked while another thread initialises such a variable would wait for it for ever.
template <class T>
class made_once {
 public:
  constexpr made_once() = default;

  /// @param make returns a std::unique_ptr<T>
  template <class Make>
  T& get(Make&& make) {
    if (T* const one = made_.load(std::memory_order_acquire)) return *one;  // pairs with the release below
    std::unique_ptr<T> own = make();
    T* first = nullptr;
    if (!made_.compare_exchange_strong(first, own.get(), std::memory_order_acq_rel, std::memory_order_acquire))
      return *first;
    return *own.release();
  }

 private:
  std::atomic<T*> made_{nullptr};
};

/// Is there while code of a user runs that may fork. A child that comes back from that code would
/// go on with a run that its parent goes on with, too: it would process items twice, and write into
/// the parent's connections. So it ends here, with a notice.
class child_ends_here {
 public:
  /// Exit code of such a child (EX_SOFTWARE).
  static constexpr int code = 70;

  explicit child_ends_here(std::string_view where) noexcept : where_(where) {}
  child_ends_here(const child_ends_here&) = delete;
  child_ends_here& operator=(const child_ends_here&) = delete;
  ~child_ends_here() {
    if (!here_.is_here()) [[unlikely]]
      end_process();
  }

 private:
  [[noreturn]] void end_process() const noexcept;

  const std::string_view where_;
  const process_mark here_;
};

}  // namespace weir::detail
