// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/blocks/outlet.hpp"
#include "weir/detail/blocks/shape.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/graph/error.hpp"
#include "weir/io/tcp.hpp"

#include "graph/private_sockets.hpp"
#include "io/events.hpp"
#include "io/line_cutter.hpp"
#include "io/tcp_stream.hpp"

#include <asio/ip/v6_only.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weir {
namespace {

using asio::ip::tcp;

constexpr std::size_t peer_bytes = std::size_t{16} * 1024;
constexpr std::size_t lines_in_turn = 64;

// The peers that have become readable. The thread of `events` adds them, the node takes them.
class arrivals {
 public:
  explicit arrivals(detail::host& owner) : waker_(owner) {}

  void put(std::uint64_t peer) {
    {
      const std::lock_guard lock(mutex_);
      peers_.push_back(peer);
    }
    waker_.ring();
  }
  std::vector<std::uint64_t> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(peers_, {});
  }
  void ring() noexcept { waker_.ring(); }
  void close() noexcept { waker_.close(); }

 private:
  io::node_waker waker_;
  std::mutex mutex_;
  std::vector<std::uint64_t> peers_;
};

class line_listener final : public detail::behaviour {
 public:
  explicit line_listener(listen_options options) : options_(std::move(options)) {}

  void start(detail::ports& at) override {
    accepted_ = closed_ = 0;
    arrivals_ = std::make_shared<arrivals>(at.owner());
    acceptable_.emplace([to = arrivals_] { to->ring(); });
    listen();
  }

  detail::progress step(detail::ports& at, std::size_t budget) override {
    if (at.draining() || at.out().abandoned()) return detail::progress::ended;
    accept();
    for (const std::uint64_t peer : arrivals_->take()) ready_.push_back(peer);
    outlet<peer_line> out(at.out());
    while (budget != 0 && !ready_.empty() && !at.interrupted()) {
      const std::uint64_t peer = ready_.front();
      ready_.pop_front();
      switch (read(peer, std::min(budget, lines_in_turn), budget, at, out)) {
        case state::more: ready_.push_back(peer); break;
        case state::none_now: break;
        case state::closed:
          peers_.erase(peer);
          ++closed_;
          break;
      }
    }
    if (options_.ends_when_idle && accepted_ != 0 && closed_ == accepted_) accept();  // new peers
    const bool idle = options_.ends_when_idle && accepted_ != 0 && closed_ == accepted_;
    if (idle || (options_.peers != 0 && closed_ == options_.peers)) return detail::progress::ended;
    return ready_.empty() ? detail::progress::waiting_room : detail::progress::more;
  }

  void finish(detail::ports&) override { close(); }
  void abort(detail::ports&) noexcept override { close(); }

 private:
  enum class state { more, none_now, closed };
  struct peer_state {
    io::tcp_stream connection;
    io::line_cutter read{peer_bytes};
  };

  void listen() {
    std::error_code problem;
    if (!options_.address.empty()) {
      const auto found = tcp::resolver(io::events())
                             .resolve(options_.address, std::to_string(options_.port), tcp::resolver::passive, problem);
      if (!problem) problem = listen_at(found.begin()->endpoint());
    } else {
      problem = listen_at({tcp::v6(), options_.port});
      if (problem == asio::error::address_family_not_supported ||
          io::standard_error(problem) == std::errc::address_not_available) {
        problem = listen_at({tcp::v4(), options_.port});
      }
    }
    if (problem) io::fail_with("listen at " + where(), problem);
    if (options_.on_listening) options_.on_listening(acceptor_->local_endpoint().port());
  }

  std::error_code listen_at(const tcp::endpoint& at) {
    std::error_code problem;
    acceptor_.emplace(io::events());
    problem = detail::open_private(*acceptor_, at.protocol());
    if (!problem) acceptor_->set_option(tcp::acceptor::reuse_address(true), problem);
    const bool both = at.protocol() == tcp::v6() && options_.address.empty();
    if (!problem && both) acceptor_->set_option(asio::ip::v6_only(false), problem);
    if (!problem) acceptor_->bind(at, problem);
    if (!problem) acceptor_->listen(tcp::acceptor::max_listen_connections, problem);
    if (!problem) acceptor_->non_blocking(true, problem);
    return problem;
  }

  void accept() {
    while (acceptor_ && (options_.peers == 0 || accepted_ != options_.peers)) {
      tcp::socket connection(io::events());
      const std::error_code problem = detail::accept_private(*acceptor_, connection);
      if (!problem) {
        std::error_code gone;  // the peer may have disconnected already
        const tcp::endpoint from = connection.remote_endpoint(gone);
        add(std::move(connection), from);
      } else if (problem == asio::error::would_block) {
        acceptable_->arm(*acceptor_, tcp::acceptor::wait_read);
        return;
      } else if (problem != asio::error::interrupted && problem != asio::error::connection_aborted) {
        io::fail_with("accept at " + where(), problem);
      }
    }
    acceptor_.reset();
  }

  void add(tcp::socket connection, const tcp::endpoint& from) {
    const std::uint64_t peer = accepted_++;
    auto ring = [to = arrivals_, peer] { to->put(peer); };
    peers_.emplace(peer, std::make_unique<peer_state>(io::tcp_stream(std::move(connection), std::move(ring))));
    ready_.push_back(peer);
    if (options_.on_connected) options_.on_connected(peer, io::shown_address(from));
  }

  // Sends up to `most` lines of one peer, and subtracts them from the budget.
  state read(std::uint64_t peer, std::size_t most, std::size_t& budget, detail::ports& at, outlet<peer_line>& out) {
    peer_state& from = *peers_.at(peer);
    auto send = [&](std::string_view line) {
      at.count(1);
      --budget;
      out.send({peer, std::string(line)});
    };
    while (most != 0 && !at.interrupted()) {
      if (const auto line = from.read.next()) {
        if (line->size() > options_.longest_line) return lose(peer, std::make_error_code(std::errc::message_size));
        send(*line);
        --most;
        continue;
      }
      if (from.read.held() > options_.longest_line) return lose(peer, std::make_error_code(std::errc::message_size));
      std::error_code problem;
      const auto got = from.connection.read(from.read.room(), problem);
      if (problem) return lose(peer, problem);
      if (!got) return state::none_now;
      from.read.added(*got);
      if (*got != 0) continue;
      if (from.read.held() != 0) send(from.read.rest());
      return state::closed;
    }
    return state::more;
  }

  state lose(std::uint64_t peer, const std::error_code& problem) {
    if (options_.on_lost) options_.on_lost(peer, io::standard_error(problem));
    return state::closed;
  }

  std::string where() const {
    return io::shown_address(options_.address.empty() ? "*" : options_.address, options_.port);
  }

  void close() noexcept {
    if (arrivals_ != nullptr) arrivals_->close();
    acceptor_.reset();
    peers_.clear();
    ready_.clear();
  }

  listen_options options_;
  std::shared_ptr<arrivals> arrivals_;
  std::optional<tcp::acceptor> acceptor_;
  std::optional<io::readiness_wait> acceptable_;
  std::unordered_map<std::uint64_t, std::unique_ptr<peer_state>> peers_;
  std::deque<std::uint64_t> ready_;
  std::uint64_t accepted_ = 0;
  std::uint64_t closed_ = 0;
};

}  // namespace

block<void, peer_line> listen_for_lines(listen_options options) {
  return detail::behaviour_block<void, peer_line>(
      "listen_for_lines", [options = std::move(options)] { return std::make_unique<line_listener>(options); }, false);
}

}  // namespace weir
