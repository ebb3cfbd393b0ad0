// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/top_session.hpp"

#include "common/process.hpp"
#include "top/live_watch.hpp"
#include "top/node_stacks.hpp"
#include "top/terminal.hpp"
#include "top/top_table.hpp"
#include "top/watched_program.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <utility>

namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr auto between_looks_for_it = 50ms;
constexpr auto between_copies = 100ms;

/// One view of a program, which this process has started or not.
class session {
 public:
  explicit session(std::chrono::milliseconds interval)
      : held_(std::in_place, std::initializer_list<int>{SIGWINCH, SIGTSTP}),
        signals_(::signalfd(-1, &held_->set(), SFD_CLOEXEC | SFD_NONBLOCK)),
        watch_(interval) {
    const terminal::extent size = screen_.size();
    if (size.width < narrowest || size.height < lowest) {
      throw std::runtime_error(
          fmt::format("the terminal has {} columns and {} lines; make it at least {} by {}; weir top --once needs none",
                      size.width, size.height, narrowest, lowest));
    }
  }

  void attach(std::unique_ptr<live_connection> to) { watch_.attach(std::move(to)); }

  void start(const std::vector<std::string>& program) { program_.emplace(program, held_->before(), terminal_of::view); }

  void show() {
    screen_.enter();
    draw();
    while (!is_over() && !left_) wait_and_handle();
    if (left_ && program_) follow();
    if (!left_) watch_.hear_last_words();
    screen_.leave();
    if (program_) program_->remove_folder();
    handle_signals();  // one that has come while the program ended must not end this process before the output is shown
    held_.reset();     // nothing is to be tidied up, and a stopped terminal may hold up what is printed now
    if (!program_ && asked_ != 0) throw interrupted(asked_);
    screen_.finish_leaving();
    if (program_) program_->show_output();
    if (!left_ && asked_ == 0 && watch_.latest() != nullptr) screen_.print(last_figures());
  }

  int exit_code() const { return program_->exit_code(asked_); }

 private:
  bool is_over() const {
    if (program_) return program_->has_ended();
    return asked_ != 0 || !watch_.is_attached() || watch_.has_ended();
  }

  void wait_and_handle() {
    clock::time_point next = watch_.next_look();
    if (program_ && !watch_.is_attached()) next = std::min(next, clock::now() + between_looks_for_it);
    pollfd sources[] = {{*signals_, POLLIN, 0}, {screen_.polled(), POLLIN, 0}, {watch_.polled(), POLLIN, 0}};
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - clock::now());
    ::poll(sources, std::size(sources), static_cast<int>(std::max<std::chrono::milliseconds>(wait, 0ms).count()));
    if (sources[0].revents != 0) handle_signals();
    if (sources[1].revents != 0) handle_keys();
    if (program_ && !watch_.is_attached()) look_for_it();
    if (watch_.is_attached() && sources[2].revents != 0) receive();
    if (watch_.look()) draw();
  }

  void handle_signals() {
    signalfd_siginfo came{};
    while (::read(*signals_, &came, sizeof came) == sizeof came) {
      const int number = static_cast<int>(came.ssi_signo);
      switch (number) {
        case SIGWINCH: draw(); break;
        case SIGCHLD:
          if (program_) program_->look_whether_it_ended();
          break;
        case SIGTSTP: {
          const bool was_shown = screen_.shown();
          screen_.leave();
          ::kill(::getpid(), SIGSTOP);
          if (was_shown) screen_.enter();
          draw();
          break;
        }
        default:
          asked_ = number;
          // The terminal has sent its signal to the whole process group.
          if (program_ && came.ssi_code <= 0) program_->pass_on(number);
      }
    }
  }

  void handle_keys() {
    for (const char key : screen_.keys()) {
      switch (key) {
        case 'q':
        case 'Q': left_ = true; break;
        case 's': look_at_stacks(); break;
        case 'b': stacks_.clear(); break;
        default: continue;
      }
      draw();
    }
  }

  // Gets the stacks of the nodes in the last sample. They stay on the screen until the next key.
  void look_at_stacks() {
    if (watch_.latest() == nullptr || watch_.has_ended()) return;
    stacks_ = {"looking at the stacks ..."};
    draw();
    stacks_ = lines_of(stacks_of(*watch_.latest()));
  }

  void look_for_it() {
    if (auto found = program_->connect()) watch_.begin(std::move(found));
  }

  void receive() {
    try {
      if (!watch_.receive()) return;
    } catch (const std::exception&) {
      if (!program_) throw;
      watch_.detach();  // another program in the same folder
      return;
    }
    if (watch_.has_ended() && program_) watch_.detach();
    draw();
  }

  // Used when the view has gone but the program goes on: prints the program's output as it arrives.
  void follow() {
    screen_.leave();
    watch_.detach();
    while (!program_->has_ended()) {
      // The output belongs on the first screen.
      pollfd sources[] = {
          {*signals_, POLLIN, 0},
          screen_.goes_on_leaving() ? program_->show_some_output() : pollfd{screen_.polled(), POLLOUT, 0}};
      ::poll(sources, std::size(sources), static_cast<int>(between_copies.count()));
      if (sources[0].revents != 0) handle_signals();
    }
  }

  top_content content() const {
    top_content made = watch_.content();
    if (program_) made.output = program_->last_lines();
    made.keys = program_ ? "q: leave the view, the program goes on   Ctrl-C: end the program" : "q: leave";
    if (watch_.latest() == nullptr) {
      if (!program_) return made;
      made.program = std::filesystem::path(program_->name()).filename();
      made.pid = program_->pid();
      made.state = "has run no network yet";
      return made;
    }
    made.page = stacks_;
    made.keys += stacks_.empty() ? "   s: stacks" : "   b: back   s: again";
    if (const std::string said = watch_.unanswered(); !said.empty()) made.keys = said + "; " + made.keys;
    return made;
  }

  void draw() {
    if (left_ || !screen_.shown()) return;
    const terminal::extent size = screen_.size();
    screen_.draw(top_lines(content(), size.width, size.height, style_));
  }

  std::string last_figures() const {
    const top_content last = watch_.last_content();
    std::string text;
    for (const std::string& line : top_lines(last, std::max(screen_.size().width, narrowest), any_height, style_)) {
      text += line + '\n';
    }
    return text;
  }

  terminal screen_;
  const text_style style_ = style_of_the_environment(true);
  std::optional<held_signals> held_;
  const descriptor signals_;
  std::optional<watched_program> program_;
  live_watch watch_;
  std::vector<std::string> stacks_;  // shown in place of the runs, if there are any
  bool left_ = false;
  int asked_ = 0;  // signal that asked this process to end
};

}  // namespace

void watch(std::unique_ptr<live_connection> connection, std::chrono::milliseconds interval) {
  session view(interval);
  view.attach(std::move(connection));
  view.show();
}

int watch_program(const std::vector<std::string>& program, std::chrono::milliseconds interval) {
  session view(interval);
  view.start(program);
  view.show();
  return view.exit_code();
}
