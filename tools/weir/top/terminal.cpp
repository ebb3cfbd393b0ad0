// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/terminal.hpp"

#include "support/environment.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace {

using namespace std::chrono_literals;

// Codes of ECMA-48 and of xterm: a second screen (1049), and the cursor hidden (25).
constexpr const char* second_screen = "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J";
constexpr const char* first_screen = "\x1b[?25h\x1b[?1049l";
constexpr const char* home = "\x1b[H";
constexpr const char* clear_line = "\x1b[K";
constexpr const char* clear_below = "\x1b[J";

constexpr const char* name = "the terminal";

}  // namespace

terminal::terminal() : tty_(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)), screen_(*tty_) {
  const char* const kind = weir::support::variable("TERM");
  if (!tty_) throw std::runtime_error("there is no terminal for the view; weir top --once needs none");
  if (kind == nullptr || *kind == '\0' || std::string_view(kind) == "dumb") {
    throw std::runtime_error("this kind of terminal (TERM) can't show the view; weir top --once needs none");
  }
}

void terminal::enter() {
  if (entered_) return;
  ::tcgetattr(*tty_, &before_);
  termios quiet = before_;
  quiet.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  quiet.c_cc[VMIN] = 1;
  quiet.c_cc[VTIME] = 0;
  ::tcsetattr(*tty_, TCSADRAIN, &quiet);
  entered_ = true;
  owed_ = {};
  write_in_time(second_screen);
}

void terminal::leave() noexcept {
  if (!entered_) return;
  entered_ = false;
  try {
    owed_ = write_in_time(first_screen);
    if (!owed_.empty()) {
      restart();
      owed_ = write_in_time(owed_);
    }
  } catch (const std::exception&) {  // the terminal has gone
    owed_ = {};
  }
  ::tcsetattr(*tty_, TCSANOW, &before_);
}

void terminal::restart() const noexcept {
  termios now = before_;
  now.c_iflag &= ~static_cast<tcflag_t>(IXON);
  ::tcsetattr(*tty_, TCSANOW, &now);
}

bool terminal::goes_on_leaving() noexcept {
  while (!owed_.empty()) {
    const ssize_t wrote = screen_.write(owed_);
    if (wrote > 0) owed_.remove_prefix(static_cast<std::size_t>(wrote));
    if (wrote < 0 && errno == EAGAIN) return false;
    if (wrote < 0 && errno != EINTR) owed_ = {};  // the terminal has gone
  }
  return true;
}

void terminal::finish_leaving() noexcept { print(""); }

terminal::extent terminal::size() const noexcept {
  winsize now{};
  if (::ioctl(*tty_, TIOCGWINSZ, &now) != 0 || now.ws_col == 0 || now.ws_row == 0) return {};
  return {now.ws_col, now.ws_row};
}

std::string terminal::keys() const {
  char some[64];
  pollfd source{*tty_, POLLIN, 0};
  if (::poll(&source, 1, 0) <= 0 || (source.revents & POLLIN) == 0) return {};
  const ssize_t got = ::read(*tty_, some, sizeof some);
  return {some, static_cast<std::size_t>(got > 0 ? got : 0)};
}

void terminal::draw(const std::vector<std::string>& lines) {
  std::string all = home;
  for (std::size_t i = 0; i != lines.size(); ++i) {
    if (i != 0) all += "\r\n";
    all += lines[i] + clear_line;
  }
  write_in_time(all + clear_below);
}

std::string_view terminal::write_in_time(std::string_view text) {
  using clock = std::chrono::steady_clock;
  constexpr auto a_moment = 250ms;
  const clock::time_point until = clock::now() + a_moment;
  while (!text.empty() && clock::now() < until) {
    const ssize_t wrote = screen_.write(text);
    if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
    if (wrote >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) throw std::runtime_error(std::string("can't write to ") + name + ": " + std::strerror(errno));
    pollfd room{*tty_, POLLOUT, 0};
    ::poll(&room, 1, 50);
  }
  return text;
}

void terminal::print(const std::string& text) noexcept {
  try {
    write_all(*tty_, std::string(std::exchange(owed_, {})) + text, name);
  } catch (const std::exception&) {
    return;  // the terminal has gone
  }
}
