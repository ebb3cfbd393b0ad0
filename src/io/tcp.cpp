// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/tcp.hpp"

#include "weir/blocks/outlet.hpp"
#include "weir/detail/blocks/shape.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/graph/error.hpp"

#include "io/line_cutter.hpp"
#include "io/sink_behaviour.hpp"
#include "io/tcp_stream.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace weir {
namespace {

constexpr std::size_t received_at_once = std::size_t{64} * 1024;

class line_receiver final : public detail::behaviour {
 public:
  line_receiver(std::string host, std::uint16_t port) : host_(std::move(host)), port_(port) {}

  void start(detail::ports& at) override {
    read_.clear();
    waker_ = std::make_shared<io::node_waker>(at.owner());
    connecting_.emplace(host_, port_, waker_);
  }

  detail::progress step(detail::ports& at, std::size_t budget) override {
    if (at.draining() || at.out().abandoned()) return detail::progress::ended;
    if (connection_ == nullptr) connection_ = connecting_->take();
    if (connection_ == nullptr) return detail::progress::waiting_room;
    outlet<std::string> out(at.out());
    auto send = [&](std::string_view line) {
      at.count(1);
      out.send(std::string(line));
    };
    for (std::size_t left = budget; left != 0 && !at.interrupted();) {
      if (const auto line = read_.next()) {
        send(*line);
        --left;
        continue;
      }
      std::error_code problem;
      const auto got = connection_->read(read_.room(), problem);
      if (problem) io::fail_with("receive from " + io::shown_address(host_, port_), problem);
      if (!got) return detail::progress::waiting_room;
      read_.added(*got);
      if (*got != 0) continue;
      if (read_.held() != 0) send(read_.rest());
      return detail::progress::ended;
    }
    return detail::progress::more;
  }

  void finish(detail::ports&) override { close(); }
  void abort(detail::ports&) noexcept override { close(); }

 private:
  void close() noexcept {
    if (waker_ != nullptr) waker_->close();
    connecting_.reset();
    connection_.reset();
  }

  std::string host_;
  std::uint16_t port_;
  std::shared_ptr<io::node_waker> waker_;
  std::optional<io::tcp_connecting> connecting_;
  std::unique_ptr<io::tcp_stream> connection_;
  io::line_cutter read_{received_at_once};
};

class tcp_output final : public io::output {
 public:
  tcp_output(const std::string& host, std::uint16_t port, std::shared_ptr<io::node_waker> waker)
      : what_("send to " + io::shown_address(host, port)), connecting_(host, port, std::move(waker)) {}

  bool flush() override {
    if (connection_ == nullptr) connection_ = connecting_.take();
    if (connection_ == nullptr) return false;
    while (written_ != waiting_.size()) {
      std::error_code problem;
      const auto wrote = connection_->write(std::span(waiting_).subspan(written_), problem);
      if (problem) io::fail_with(what_, problem);
      if (!wrote) return false;
      written_ += *wrote;
    }
    waiting_.clear();
    written_ = 0;
    return true;
  }
  void commit() override {
    std::error_code problem;
    connection_->shut_down(problem);
    if (problem) io::fail_with(what_, problem);
  }

 private:
  std::string what_;
  io::tcp_connecting connecting_;
  std::unique_ptr<io::tcp_stream> connection_;
};

}  // namespace

block<void, std::string> receive_lines(std::string host, std::uint16_t port) {
  return detail::behaviour_block<void, std::string>(
      "receive_lines", [host = std::move(host), port] { return std::make_unique<line_receiver>(host, port); }, true);
}

block<std::string, void> send_lines(std::string host, std::uint16_t port) {
  return io::sink_into<std::string>("send_lines",
                                    [host = std::move(host), port](std::shared_ptr<io::node_waker> waker) {
                                      return std::make_unique<tcp_output>(host, port, std::move(waker));
                                    });
}

}  // namespace weir
