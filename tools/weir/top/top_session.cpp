// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/top_session.hpp"

#include "weir/detail/run/live_view.hpp"

#include "common/process.hpp"
#include "support/output.hpp"
#include "top/kept_output.hpp"
#include "top/live_programs.hpp"
#include "top/node_stacks.hpp"
#include "top/terminal.hpp"
#include "top/top_table.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr auto time_to_answer = 5s;
constexpr auto time_for_last_words = 1s;
// Time between the first sample and the one that gives the first rates.
constexpr auto first_interval = 250ms;
// A longer silence of the program is shown.
constexpr auto silence = 3s;
constexpr auto between_looks_for_it = 50ms;
constexpr auto between_copies = 100ms;
constexpr std::size_t output_lines = 3;

/// A folder that only this user can access. The destructor removes the folder and its contents.
class private_folder {
 public:
  private_folder() : path_(weir::detail::live_view_folder() + "/top-XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) {
      throw std::runtime_error("can't make a folder like " + path_ + ": " + std::strerror(errno));
    }
  }
  ~private_folder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  private_folder(const private_folder&) = delete;
  private_folder& operator=(const private_folder&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// A program that this process has started.
class watched_program {
 public:
  watched_program(const std::vector<std::string>& program, const sigset_t& mask) : name_(program.front()) {
    const descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    ::setenv("WEIR_TOP", folder_->path().c_str(), 1);
    for (const int each : {STDOUT_FILENO, STDERR_FILENO}) {
      if (::isatty(each) != 0) shown_on_ = shown_on_ < 0 ? each : shown_on_;
    }
    if (shown_on_ >= 0) kept_.emplace();
    const auto kept = [&](int stream) { return ::isatty(stream) != 0 ? kept_->written_to() : -1; };
    try {
      // Two programs can't read the terminal at the same time.
      pid_ = start_program(program,
                           {.input = ::isatty(STDIN_FILENO) != 0 ? *nothing : -1,
                            .output = kept(STDOUT_FILENO),
                            .error = kept(STDERR_FILENO)},
                           mask);
    } catch (const cannot_start& why) {
      throw std::runtime_error(explained(why, name_));
    }
  }

  const std::string& name() const noexcept { return name_; }
  pid_t pid() const noexcept { return pid_; }
  bool has_ended() const noexcept { return end_.has_value(); }
  process_end end() const { return *end_; }
  void look_whether_it_ended() {
    int status = 0;
    if (!end_ && ::waitpid(pid_, &status, WNOHANG) == pid_) end_ = end_of(status);
  }
  void pass_on(int signal) const {
    if (!end_) ::kill(pid_, signal);
  }

  /// Returns a new connection to one of the program's processes; null if there is none yet.
  std::unique_ptr<live_connection> connect() {
    for (const std::string& socket : sockets_in(folder_->path())) {
      if (known_.contains(socket)) continue;
      try {
        auto made = std::make_unique<live_connection>(socket);
        known_.insert(socket);
        return made;
      } catch (const not_reached&) {
        continue;
      }
    }
    return nullptr;
  }

  std::vector<std::string> last_lines() const {
    return kept_ ? kept_->last_lines(output_lines) : std::vector<std::string>();
  }
  void show_output() {
    if (kept_) kept_->pass_on(shown_on_);
  }
  /// Ends the use of the folder: the program has ended.
  void remove_folder() { folder_.reset(); }
  /// Shows as much as the terminal takes now.
  /// @return what to wait for until it takes more: nothing, or the terminal
  pollfd show_some_output() {
    const bool all = !kept_ || kept_->pass_on(weir::support::unhurried_stream(shown_on_));
    return {all ? -1 : shown_on_, POLLOUT, 0};
  }

 private:
  std::optional<private_folder> folder_{std::in_place};
  std::string name_;
  std::optional<kept_output> kept_;
  int shown_on_ = -1;
  pid_t pid_ = 0;
  std::optional<process_end> end_;
  std::set<std::string> known_;
};

/// One view of a program, which this process has started or not.
class session {
 public:
  explicit session(std::chrono::milliseconds interval)
      : held_(std::in_place, std::initializer_list<int>{SIGWINCH, SIGTSTP}),
        signals_(::signalfd(-1, &held_->set(), SFD_CLOEXEC | SFD_NONBLOCK)),
        interval_(interval) {
    const terminal::extent size = screen_.size();
    if (size.width < narrowest || size.height < lowest) {
      throw std::runtime_error(
          fmt::format("the terminal has {} columns and {} lines; make it at least {} by {}; weir top --once needs none",
                      size.width, size.height, narrowest, lowest));
    }
  }

  void attach(std::unique_ptr<live_connection> to) {
    connection_ = std::move(to);
    connection_->ask();
    std::optional<live_sample> first = connection_->wait_for_sample(time_to_answer);
    if (!first) throw std::runtime_error("the program ended before it answered");
    take(*std::move(first));
  }

  void start(const std::vector<std::string>& program) { program_.emplace(program, held_->before()); }

  void show() {
    screen_.enter();
    draw();
    while (!is_over() && !left_) wait_and_handle();
    if (left_ && program_) follow();
    if (connection_ && !left_) hear_last_words();
    screen_.leave();
    if (program_) program_->remove_folder();
    handle_signals();  // one that has come while the program ended must not end this process before the output is shown
    held_.reset();     // nothing is to be tidied up, and a stopped terminal may hold up what is printed now
    if (!program_ && asked_ != 0) throw interrupted(asked_);
    screen_.finish_leaving();
    if (program_) program_->show_output();
    if (!left_ && asked_ == 0 && latest_) screen_.print(last_figures());
  }

  int exit_code() const {
    const process_end end = program_->end();
    if (end.signal == 0) return end.code;
    if (end.signal == asked_) throw interrupted(asked_);
    weir::support::complain(
        "weir top", fmt::format("{} was ended by signal {} ({})", program_->name(), end.signal, end.signal_name()));
    return 128 + end.signal;
  }

 private:
  bool is_over() const {
    if (program_) return program_->has_ended();
    return asked_ != 0 || !connection_ || connection_->has_ended();
  }

  void wait_and_handle() {
    clock::time_point next = next_look_;
    if (program_ && !connection_) next = std::min(next, clock::now() + between_looks_for_it);
    pollfd sources[] = {
        {*signals_, POLLIN, 0}, {screen_.polled(), POLLIN, 0}, {connection_ ? connection_->polled() : -1, POLLIN, 0}};
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - clock::now());
    ::poll(sources, std::size(sources), static_cast<int>(std::max<std::chrono::milliseconds>(wait, 0ms).count()));
    if (sources[0].revents != 0) handle_signals();
    if (sources[1].revents != 0) handle_keys();
    if (program_ && !connection_) look_for_it();
    if (connection_ && sources[2].revents != 0) receive();
    if (clock::now() < next_look_) return;
    ask();
    next_look_ = clock::now() + interval_;
    draw();
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
    if (!latest_ || ended_) return;
    stacks_ = {"looking at the stacks ..."};
    draw();
    stacks_ = lines_of(stacks_of(*latest_));
  }

  // Asks for a sample, unless an answer is still outstanding.
  void ask() {
    if (!connection_ || asked_at_) return;
    asked_at_ = clock::now();
    connection_->ask();
  }

  void look_for_it() {
    connection_ = program_->connect();
    if (!connection_) return;
    before_.reset();
    latest_.reset();
    ended_ = false;
    asked_at_.reset();
    ask();
    next_look_ = clock::now() + first_interval;
  }

  void receive() {
    try {
      if (std::optional<live_sample> came = connection_->receive()) take(*std::move(came));
    } catch (const std::exception&) {
      if (!program_) throw;
      connection_.reset();  // another program in the same folder
      return;
    }
    if (!connection_->has_ended()) return;
    ended_ = true;
    if (program_) connection_.reset();
    draw();
  }

  void take(live_sample sample) {
    asked_at_.reset();
    const bool first = !latest_;
    before_ = std::move(latest_);
    latest_ = std::move(sample);
    if (first) next_look_ = clock::now() + std::min<std::chrono::milliseconds>(first_interval, interval_);
    draw();
  }

  void hear_last_words() {
    try {
      while (!connection_->has_ended()) {
        std::optional<live_sample> came = connection_->wait_for_sample(time_for_last_words);
        if (!came) break;
        latest_ = std::move(came);
      }
    } catch (const std::exception&) {
      return;
    }
  }

  // Used when the view has gone but the program goes on: prints the program's output as it arrives.
  void follow() {
    screen_.leave();
    connection_.reset();
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
    top_content made;
    if (program_) {
      made.program = std::filesystem::path(program_->name()).filename();
      made.pid = program_->pid();
      made.output = program_->last_lines();
      if (!latest_) made.state = "has run no network yet";
    }
    made.keys = program_ ? "q: leave the view, the program goes on   Ctrl-C: end the program" : "q: leave";
    if (!latest_) return made;
    made.page = stacks_;
    made.keys += stacks_.empty() ? "   s: stacks" : "   b: back   s: again";
    made.program = latest_->program;
    made.pid = latest_->pid;
    made.cores = latest_->cores;
    made.state = ended_ ? "ended" : silence_of(*latest_);
    if (asked_at_ && clock::now() - *asked_at_ > silence) {
      const double seconds = std::chrono::duration<double>(clock::now() - *asked_at_).count();
      made.keys = fmt::format("the program has not answered for {}; {}", short_time(seconds), made.keys);
    }
    made.runs = views_of(*latest_, before_ ? &*before_ : nullptr);
    if (before_ && latest_->at > before_->at) {
      made.cores_used = static_cast<double>((latest_->cpu - before_->cpu).count()) /
                        static_cast<double>((latest_->at - before_->at).count());
    } else if (!made.runs.empty()) {
      made.cores_used = made.runs.front().cores;
    }
    return made;
  }

  void draw() {
    if (left_ || !screen_.shown()) return;
    const terminal::extent size = screen_.size();
    screen_.draw(top_lines(content(), size.width, size.height, style_));
  }

  std::string last_figures() {
    before_.reset();
    stacks_.clear();
    top_content last = content();
    last.state = "ended";
    last.keys.clear();
    last.output.clear();
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
  const std::chrono::milliseconds interval_;
  std::optional<watched_program> program_;
  std::unique_ptr<live_connection> connection_;
  std::optional<live_sample> before_, latest_;
  std::vector<std::string> stacks_;            // shown in place of the runs, if there are any
  std::optional<clock::time_point> asked_at_;  // time of a request without an answer
  clock::time_point next_look_ = clock::now();
  bool ended_ = false;  // whether the program of `latest_` has ended
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
