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

namespace weir::detail {

/// Answers the watchers of this process at a socket. One thread, which sleeps until a request
/// comes. No run ever waits for a watcher.
///
/// A watcher may send the line `report` any number of times. Each time it gets one line, the
/// document. When the server is destroyed, or the process ends by `exit` or a return from `main`,
/// each watcher that has asked gets one more document, unasked. The server answers any other
/// request, and one connection too many, with `{"error": …}` and closes the connection. It drops a
/// watcher that does not read its answer for some seconds.
///
/// Any thread may call the public static functions, the constructor and the destructor. The rest
/// belongs to the server's thread, except `say_farewell`.
class live_server {
 public:
  /// @param document makes the answer, one line. Called by the server's thread
  live_server(live_socket socket, std::function<std::string()> document);
  live_server(const live_server&) = delete;
  live_server& operator=(const live_server&) = delete;
  ~live_server();

  /// Opens the socket of this process if the environment requests it (WEIR_TOP). Does nothing if it
  /// is open.
  /// @throws graph_error if it can't be opened
  static void open_if_asked();

  /// Whether the socket is open.
  static bool is_open() noexcept;

  /// Opens the socket of this process if a call has come. Any thread.
  static void answer_call() noexcept;

  /// Removes a call for this process: an empty file `<process id>.call` in `live_view_folder`,
  /// owned by this user or by root. A process with more rights than its user takes no calls. Any
  /// thread.
  /// @return the socket that the call asks for; empty: there is no call
  static std::string take_call() noexcept;

  /// Called around a fork: no other thread holds the locks meanwhile. The child has no server, and
  /// may open its own.
  static void before_fork() noexcept;
  static void after_fork(bool in_child) noexcept;

 private:
  using clock = std::chrono::steady_clock;

  struct connection {
    open_descriptor to;
    std::string received{};
    std::string sending{};
    std::size_t sent = 0;
    bool closing = false;  // close it once all is sent
    bool has_asked = false;
    clock::time_point next_{};     // the connection is not read before this time
    clock::time_point deadline{};  // for the answer being sent

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
  std::vector<pollfd> sources_;  // descriptors that the thread waits for
  clock::time_point admits_again_{};
  std::mutex mutex_;  // guards the members that follow
  std::condition_variable changed_;
  bool leaving_ = false;
  bool has_left_ = false;
  std::thread thread_;  // last member: the thread uses the others
};

}  // namespace weir::detail
