// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/files.hpp"
#include "support/unhurried_stream.hpp"

#include <termios.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The terminal of this process, used as a full screen. The former contents are restored
/// afterwards.
class terminal {
 public:
  /// @throws std::runtime_error if there is none, or it can't show a screen
  terminal();
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;
  ~terminal() { leave(); }

  /// Takes over the screen. Keys arrive one by one and are not shown, but Ctrl-C and Ctrl-Z keep
  /// their effects.
  void enter();

  /// Restores the screen. A terminal that has been stopped (Ctrl-S) is restarted for this. One that
  /// takes nothing all the same is waited for by `finish_leaving` and `print`, not here.
  void leave() noexcept;
  /// Does what it can to restore the screen without waiting. @return whether it is restored
  bool goes_on_leaving() noexcept;
  /// Waits until the screen has been restored. Before anything else writes to the terminal.
  void finish_leaving() noexcept;

  struct extent {
    std::size_t width = 80;
    std::size_t height = 24;
  };
  extent size() const noexcept;

  /// Whether the screen is taken over.
  bool shown() const noexcept { return entered_; }

  /// Descriptor to be polled for keys.
  int polled() const noexcept { return *tty_; }
  /// Returns the keys pressed since the last call, without waiting; also empty at the terminal's
  /// end.
  std::string keys() const;

  /// Draws lines that are no wider than the screen, and no more of them than fit. A terminal that
  /// has been stopped (Ctrl-S) gets what it takes within a moment: signals must not wait for it.
  void draw(const std::vector<std::string>& lines);

  /// Prints below the present contents, after `leave`, however long the terminal takes. Does
  /// nothing if the terminal has gone.
  void print(const std::string& text) noexcept;

 private:
  /// @return what could not be written
  std::string_view write_in_time(std::string_view text);
  /// Lets a terminal go on that Ctrl-S has stopped: the kernel does so when that key loses its
  /// meaning.
  void restart() const noexcept;

  descriptor tty_;
  weir::support::unhurried_stream screen_;
  termios before_{};
  bool entered_ = false;
  std::string_view owed_;  // the end of the codes that restore the screen, if they could not be written
};
