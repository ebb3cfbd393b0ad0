// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <memory>
#include <stop_token>

namespace weir {

/// Signals that end runs in good order:
///
///     weir::stop_on signals({SIGINT, SIGTERM});
///     weir::run(net, {.stop = signals.cancel_token(), .drain = signals.drain_token()});
///     return signals.exit_code();
///
/// The first signal drains, so sources end and what they sent is finished. The second cancels. The
/// third ends the process, as the signal does without weir. A signal that is ignored, as a shell
/// ignores SIGINT for programs in the background, stays ignored.
///
/// While it lives, it has the handlers of these signals; its destructor puts back those that were
/// there. Threads may exist before it, and need not block anything; system calls go on where they
/// can (SA_RESTART). The tokens' callbacks run on a thread of its own. A forked child is ended by
/// its signals, as without weir. One thread makes and destroys it; any thread may call the rest.
class [[nodiscard]] stop_on {
 public:
  /// @throws std::logic_error if there is another one; std::invalid_argument for what is no signal
  /// or can't be handled; std::system_error if the system gives no thread or descriptor
  explicit stop_on(std::initializer_list<int> signals);
  ~stop_on();
  stop_on(const stop_on&) = delete;
  stop_on& operator=(const stop_on&) = delete;

  /// Stop is requested at the first signal.
  std::stop_token drain_token() const noexcept;
  /// Stop is requested at the second.
  std::stop_token cancel_token() const noexcept;

  /// The first signal that has come; 0 if none has.
  int signal() const noexcept;

  /// 0, or 128 and the number of the first signal, as shells say it.
  int exit_code() const noexcept;

 private:
  class watcher;
  std::unique_ptr<watcher> watcher_;
};

}  // namespace weir
