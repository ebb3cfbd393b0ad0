// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <initializer_list>
#include <memory>
#include <stop_token>

namespace weir {

/// Handles signals so that they end runs in an orderly way:
///
///     weir::stop_on signals({SIGINT, SIGTERM});
///     weir::run(net, {.stop = signals.cancel_token(), .drain = signals.drain_token()});
///     return signals.exit_code();
///
/// The first signal drains: sources end, and the items they have sent are processed. The second
/// signal cancels. The third ends the process, as the signal does without weir. A signal that is
/// ignored, as a shell ignores SIGINT for programs in the background, stays ignored.
///
/// The object holds the handlers of these signals during its lifetime; its destructor restores the
/// previous handlers. Threads may exist before it, and need not block any signal; system calls are
/// restarted where possible (SA_RESTART). The callbacks of the tokens run on a thread of the
/// object. A signal ends a forked child as without weir. One thread makes and destroys the object;
/// any thread may call its functions.
class [[nodiscard]] WEIR_API stop_on {
 public:
  /// @throws std::logic_error if another object exists; std::invalid_argument for a number that is
  /// no signal or can't be handled; std::system_error if the system provides no thread or
  /// descriptor
  explicit stop_on(std::initializer_list<int> signals);
  ~stop_on();
  stop_on(const stop_on&) = delete;
  stop_on& operator=(const stop_on&) = delete;

  /// Returns a token whose stop is requested at the first signal.
  std::stop_token drain_token() const noexcept;
  /// Returns a token whose stop is requested at the second signal.
  std::stop_token cancel_token() const noexcept;

  /// Returns the first signal received; 0 if none.
  int signal() const noexcept;

  /// Returns 0, or 128 plus the number of the first signal, as shells report it.
  int exit_code() const noexcept;

 private:
  class watcher;
  std::unique_ptr<watcher> watcher_;
};

}  // namespace weir
