// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "web/web_server.hpp"

#include "common/files.hpp"
#include "web/web_page.hpp"
#include "web/web_token.hpp"

#include <arpa/inet.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <list>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace net = boost::asio;
using tcp = net::ip::tcp;
using boost::system::error_code;
using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t header_bytes_most = 8 * 1024;
constexpr std::size_t connections_most = 64;
constexpr auto time_for_request = 5s;
constexpr auto time_for_answer = 10s;
constexpr auto time_for_goodbye = 1s;
constexpr auto longest_wait = 10s;
constexpr auto between_looks = 1s;
constexpr auto between_tries = 100ms;
// Bytes that a client may still send after an error, so that it reads the answer before its
// connection breaks.
constexpr std::size_t ignored_bytes_most = 256 * 1024;

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

// Returns the value of a parameter in `?a=1&b=2`. No value has escapes: tokens and numbers need
// none.
std::optional<std::string_view> parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('=')) return pair.substr(name.size() + 1);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

[[noreturn]] void cant_listen(const page_address& at, int problem) {
  const std::string place = fmt::format("{}:{}", page_address(at).url_host(), at.port);
  if (problem == EADDRINUSE) {
    throw std::runtime_error(
        fmt::format("--web: port {} is in use; choose another, or none for any free one", at.port));
  }
  if (problem == EACCES) {
    throw std::runtime_error(fmt::format("--web: port {} is kept for root; choose one from 1024 on", at.port));
  }
  throw std::runtime_error(fmt::format("--web: can't listen at {}: {}", place, std::strerror(problem)));
}

// Opens the listening socket here, because Asio would let programs that are started inherit it.
descriptor listening_socket(const page_address& at) {
  sockaddr_storage address{};
  socklen_t size = 0;
  auto& v4 = reinterpret_cast<sockaddr_in&>(address);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(address);
  if (::inet_pton(AF_INET, at.ip.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(at.port);
    size = sizeof v4;
  } else {
    ::inet_pton(AF_INET6, at.ip.c_str(), &v6.sin6_addr);
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(at.port);
    size = sizeof v6;
  }
  descriptor made(::socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  constexpr int on = 1;
  if (!made || ::setsockopt(*made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::bind(*made, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(*made, SOMAXCONN) != 0) {
    cant_listen(at, errno);
  }
  return made;
}

}  // namespace

// All of it happens in one thread, which runs `context_`; other threads post to it.
class web_server::service {
 public:
  explicit service(const page_address& at);
  ~service() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }
  service(const service&) = delete;
  service& operator=(const service&) = delete;

  const page_address& address() const { return address_; }
  const web_token& token() const { return token_; }
  const web_page& page() const { return page_; }

  void start();
  void publish(state now, bool last);
  void join() { thread_.join(); }

  // The rest is for connections.
  class connection;
  const std::shared_ptr<const state>& now() const { return now_; }
  bool is_last() const { return last_; }
  void forget(const connection* gone);

 private:
  void accept();
  void admit(tcp::socket socket);
  void look();
  void end_if_all_is_said();

  net::io_context context_{1};
  tcp::acceptor acceptor_;
  net::steady_timer timer_;
  net::steady_timer retry_;
  page_address address_;  // with the port that was chosen
  const web_token token_;
  const web_page page_ = make_web_page();
  std::list<std::shared_ptr<connection>> connections_;
  std::shared_ptr<const state> now_ = std::make_shared<const state>();
  bool last_ = false;
  std::thread thread_;
};

class web_server::service::connection : public std::enable_shared_from_this<connection> {
 public:
  connection(service& of, tcp::socket socket) : of_(of), stream_(std::move(socket)) {}

  /// Whether it has shown the token.
  bool is_known() const { return known_; }

  void read();
  void close();
  /// Answers with the state, if the client waits for one.
  void tell();
  /// Ends a wait that has been long.
  void look();

 private:
  void answer();
  void sample(std::string_view query);
  void reply(http::status status, std::string_view type, std::shared_ptr<const std::string> body);
  void refuse(http::status status, std::string text);
  void write_reply();
  void ignore_the_rest();
  std::string_view given_token(std::string_view query) const;

  service& of_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{header_bytes_most};
  std::optional<http::request_parser<http::empty_body>> parser_;
  std::shared_ptr<const std::string> body_;  // of the response, which refers to it
  http::response<http::span_body<const char>> response_;
  std::optional<clock::time_point> waits_since_;
  std::size_t ignored_ = 0;
  bool known_ = false;
};

// ---- one connection ----

void web_server::service::connection::read() {
  parser_.emplace();
  parser_->header_limit(header_bytes_most);
  stream_.expires_after(time_for_request);
  http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](error_code problem, std::size_t) {
    if (!problem) return self->answer();
    if (problem == http::error::header_limit || problem == http::error::buffer_overflow) {
      return self->refuse(http::status::request_header_fields_too_large, "the request is too long");
    }
    const bool is_malformed = problem.category() == make_error_code(http::error::bad_method).category();
    if (is_malformed && problem != http::error::end_of_stream && problem != http::error::partial_message) {
      return self->refuse(http::status::bad_request, "this is no request of HTTP/1.1");
    }
    self->close();
  });
}

void web_server::service::connection::close() {
  error_code none;
  stream_.socket().close(none);
  waits_since_.reset();
  of_.forget(this);
}

std::string_view web_server::service::connection::given_token(std::string_view query) const {
  constexpr std::string_view scheme = "Bearer ";
  const std::string_view header = view(parser_->get()[http::field::authorization]);
  if (header.starts_with(scheme)) return header.substr(scheme.size());
  return parameter(query, "token").value_or("");
}

void web_server::service::connection::answer() {
  const auto& request = parser_->get();
  const std::string_view target = view(request.target());
  const std::string_view path = target.substr(0, target.find('?'));
  const std::string_view query = target.substr(std::min(target.size(), path.size() + 1));
  const auto hosts = std::distance(request.equal_range(http::field::host).first,  //
                                   request.equal_range(http::field::host).second);
  if (!parser_->is_done()) return refuse(http::status::bad_request, "a request has no body here");
  if (hosts != 1 || !target.starts_with('/')) {
    return refuse(http::status::bad_request, "a request has one Host, and a path, here");
  }
  if (!is_own_host(view(request[http::field::host]))) {
    return refuse(http::status::forbidden, "this page has another name; use the address that weir top has printed");
  }
  if (!of_.token().is(given_token(query))) {
    return refuse(http::status::unauthorized,
                  "the token is missing or wrong; use the whole address that weir top has printed");
  }
  known_ = true;
  if (request.method() != http::verb::get) return refuse(http::status::method_not_allowed, "only GET is known here");
  if (path == "/") {
    return reply(http::status::ok, "text/html; charset=utf-8", std::make_shared<const std::string>(of_.page().html));
  }
  if (path == "/sample") return sample(query);
  if (path == "/metrics") {
    constexpr std::string_view open_metrics = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    return reply(http::status::ok, open_metrics, std::make_shared<const std::string>(of_.now()->metrics()));
  }
  refuse(http::status::not_found, "there is no such page");
}

void web_server::service::connection::sample(std::string_view query) {
  const std::optional<std::uint64_t> after = number_of(parameter(query, "after").value_or("0"));
  if (!after) return refuse(http::status::bad_request, "after= is no number");
  waits_since_ = clock::now();
  if (of_.now()->number != 0 && *after != of_.now()->number) tell();
}

void web_server::service::connection::tell() {
  if (!waits_since_) return;
  waits_since_.reset();
  reply(http::status::ok, "application/json", {of_.now(), &of_.now()->text});
}

void web_server::service::connection::look() {
  if (!waits_since_ || clock::now() - *waits_since_ < longest_wait) return;
  waits_since_.reset();
  reply(http::status::no_content, "", std::make_shared<const std::string>());
}

void web_server::service::connection::refuse(http::status status, std::string text) {
  reply(status, "text/plain; charset=utf-8", std::make_shared<const std::string>(std::move(text) + '\n'));
}

void web_server::service::connection::reply(http::status status, std::string_view type,
                                            std::shared_ptr<const std::string> body) {
  const bool is_fine = http::to_status_class(status) == http::status_class::successful;
  body_ = std::move(body);
  response_ = {};
  response_.version(11);
  response_.result(status);
  response_.keep_alive(is_fine && !of_.is_last() && parser_->get().keep_alive());
  if (!type.empty()) response_.set(http::field::content_type, {type.data(), type.size()});
  if (status == http::status::unauthorized) response_.set(http::field::www_authenticate, "Bearer");
  if (status == http::status::method_not_allowed) response_.set(http::field::allow, "GET");
  response_.set(http::field::cache_control, "no-store");
  response_.set("Content-Security-Policy", is_fine ? of_.page().content_security_policy : "default-src 'none'");
  response_.set("X-Content-Type-Options", "nosniff");
  response_.set("X-Frame-Options", "DENY");
  response_.set("Referrer-Policy", "no-referrer");
  response_.set("Cross-Origin-Resource-Policy", "same-origin");
  response_.set("Cross-Origin-Opener-Policy", "same-origin");
  response_.body() = {body_->data(), body_->size()};
  if (status != http::status::no_content) response_.content_length(body_->size());
  write_reply();
}

void web_server::service::connection::write_reply() {
  stream_.expires_after(time_for_answer);
  http::async_write(stream_, response_, [self = shared_from_this()](error_code problem, std::size_t) {
    if (problem) return self->close();
    if (self->response_.keep_alive()) return self->read();
    error_code none;
    self->stream_.socket().shutdown(tcp::socket::shutdown_send, none);
    self->stream_.expires_after(time_for_goodbye);
    self->ignore_the_rest();
  });
}

void web_server::service::connection::ignore_the_rest() {
  buffer_.clear();
  stream_.async_read_some(buffer_.prepare(header_bytes_most),
                          [self = shared_from_this()](error_code problem, std::size_t got) {
                            self->ignored_ += got;
                            if (problem || self->ignored_ > ignored_bytes_most) return self->close();
                            self->ignore_the_rest();
                          });
}

// ---- all connections ----

web_server::service::service(const page_address& at)
    : acceptor_(context_), timer_(context_), retry_(context_), address_(at) {
  descriptor socket = listening_socket(at);
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  ::getsockname(*socket, reinterpret_cast<sockaddr*>(&bound), &size);
  const bool is_v4 = bound.ss_family == AF_INET;
  address_.port = ntohs(is_v4 ? reinterpret_cast<const sockaddr_in&>(bound).sin_port
                              : reinterpret_cast<const sockaddr_in6&>(bound).sin6_port);
  acceptor_.assign(is_v4 ? tcp::v4() : tcp::v6(), socket.release());
}

void web_server::service::start() {
  accept();
  look();
  thread_ = std::thread([this] { context_.run(); });
}

void web_server::service::publish(state now, bool last) {
  net::post(context_, [this, last, shared = std::make_shared<const state>(std::move(now))] {
    now_ = shared;
    last_ = last;
    const auto all = connections_;  // telling one may end it
    for (const auto& each : all) each->tell();
    if (!last) return;
    // Clients ask again at once after each state, so that those that have not the last one will
    // have it soon.
    acceptor_.close();
    timer_.expires_after(time_for_goodbye);
    timer_.async_wait([this](error_code) { context_.stop(); });
    end_if_all_is_said();
  });
}

void web_server::service::accept() {
  acceptor_.async_accept([this](error_code problem, tcp::socket socket) {
    if (!acceptor_.is_open()) return;
    if (!problem) {
      admit(std::move(socket));
      return accept();
    }
    // There are no descriptors left, or the like.
    retry_.expires_after(between_tries);
    retry_.async_wait([this](error_code aborted) {
      if (!aborted && acceptor_.is_open()) accept();
    });
  });
}

// Connections beyond the limit are not let in. A client without the token gives way to a new one,
// so that such clients can't keep others out.
void web_server::service::admit(tcp::socket socket) {
  if (connections_.size() >= connections_most) {
    const auto stranger = std::ranges::find_if(connections_, [](const auto& each) { return !each->is_known(); });
    if (stranger == connections_.end()) return;
    (*stranger)->close();
  }
  connections_.push_back(std::make_shared<connection>(*this, std::move(socket)));
  connections_.back()->read();
}

void web_server::service::look() {
  const auto all = connections_;
  for (const auto& each : all) each->look();
  timer_.expires_after(between_looks);
  timer_.async_wait([this](error_code problem) {
    if (!problem) look();
  });
}

void web_server::service::forget(const connection* gone) {
  connections_.remove_if([&](const auto& each) { return each.get() == gone; });
  if (last_) end_if_all_is_said();
}

void web_server::service::end_if_all_is_said() {
  if (std::ranges::none_of(connections_, [](const auto& each) { return each->is_known(); })) context_.stop();
}

// ---- what others see ----

web_server::web_server(const page_address& at) : service_(std::make_unique<service>(at)) {}

web_server::~web_server() = default;

std::string web_server::url() const {
  const page_address& at = service_->address();
  return fmt::format("http://{}:{}/?token={}", at.url_host(), at.port, service_->token().text());
}

void web_server::start() { service_->start(); }

void web_server::publish(state now) { service_->publish(std::move(now), false); }

void web_server::finish(state now) {
  service_->publish(std::move(now), true);
  service_->join();
}
