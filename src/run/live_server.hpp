// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/live_socket.hpp"

#include <poll.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace weir {

/// Answers those who watch: one thread, which sleeps until somebody asks. No run ever waits for a
/// watcher.
///
/// A watcher sends the line `report` as often as it likes, and each time gets one line, the
/// document. When this is destroyed, or the process ends by `exit` or a return from `main`, whoever
/// has asked gets one more, unasked. Anything else is answered by `{"error": …}` and the end of the
/// connection; so is one connection too many. A watcher that does not read what it asked for is
/// left after some seconds.
///
/// `of_this_process`, constructor and destructor are for any thread; the rest belongs to the
/// thread, but for `say_farewell`.
class live_server {
 public:
  /// @param document makes what is answered: one line. Called by the thread
  live_server(live_socket socket, std::function<std::string()> document);
  live_server(const live_server&) = delete;
  live_server& operator=(const live_server&) = delete;
  ~live_server();

  /// Opens the socket of this process if the environment asks for it (WEIR_TOP), and does nothing
  /// if it is open.
  /// @throws graph_error if it can't be opened
  static void open_if_asked();

  /// Whether somebody may watch.
  static bool is_open() noexcept;

  /// Opens the socket of this process if somebody has called. Any thread.
  static void answer_call() noexcept;

  /// Takes away a call for this process: an empty file `<process id>.call` in `live_view_folder`,
  /// of this user or of root. A process with more rights than its user takes no calls. Any thread.
  /// @return the socket that is asked for; empty: nobody has called
  static std::string take_call() noexcept;

  /// Around a fork: no other thread is within. The child has no server, and may have one of its
  /// own.
  static void before_fork() noexcept;
  static void after_fork(bool in_child) noexcept;

 private:
  using clock = std::chrono::steady_clock;

  struct connection {
    open_descriptor to;
    std::string received{};
    std::string sending{};
    std::size_t sent = 0;
    bool closing = false;  // once all is sent
    bool has_asked = false;
    clock::time_point next_{};     // nothing is looked at before
    clock::time_point deadline{};  // of what is being sent

    bool has_request() const noexcept { return received.find('\n') != std::string::npos; }
  };

  static void open_at(const std::string& path);
  void serve() noexcept;
  void wait_and_serve();
  int milliseconds_to_wait(clock::time_point now) const noexcept;
  void admit();
  void receive(connection& from);
  void answer(connection& to);
  void refuse(connection& from, const std::string& why);
  static bool send_rest(connection& to) noexcept;
  void say_last_words() noexcept;
  void say_farewell() noexcept;

  const live_socket socket_;
  const open_descriptor bell_;
  const std::function<std::string()> document_;
  std::list<connection> connections_;
  std::vector<pollfd> sources_;  // what the thread waits for
  clock::time_point admits_again_{};
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool leaving_ = false;
  bool has_left_ = false;
  std::thread thread_;  // the last: it uses the rest
};

}  // namespace weir
