// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files.hpp"

#include <termios.h>

#include <cstddef>
#include <string>
#include <vector>

/// The terminal that this process belongs to, as a screen of its own: what was there before is
/// there again afterwards.
class terminal {
 public:
  /// @throws std::runtime_error if there is none, or it can't show a screen
  terminal();
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;
  ~terminal() { leave(); }

  /// Takes the screen over: keys come one by one and are not shown, but Ctrl-C and Ctrl-Z do what
  /// they always do.
  void enter();

  /// Gives it back.
  void leave() noexcept;

  struct extent {
    std::size_t width = 80;
    std::size_t height = 24;
  };
  extent size() const noexcept;

  /// Whether it is taken over.
  bool shown() const noexcept { return entered_; }

  /// To be polled for keys.
  int polled() const noexcept { return *tty_; }
  /// The keys pressed since, without waiting; empty also at the terminal's end.
  std::string keys() const;

  /// Lines no wider than the screen, and no more than it has.
  void draw(const std::vector<std::string>& lines);

  /// After `leave`: below what is there. Nothing if that can't be.
  void print(const std::string& text) noexcept;

 private:
  descriptor tty_;
  termios before_{};
  bool entered_ = false;
};
