// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/caller.hpp"

#include "cluster/wire/host_and_port.hpp"
#include "graph/file_text.hpp"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string_view>
#include <system_error>

namespace weir::cluster {
namespace {

using asio::ip::tcp;

class netlink_socket {
 public:
  netlink_socket() : number_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)) {}
  netlink_socket(const netlink_socket&) = delete;
  netlink_socket& operator=(const netlink_socket&) = delete;
  ~netlink_socket() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }

 private:
  const int number_;
};

void put(const tcp::endpoint& from, __be32 (&address)[4], __be16& port) {
  port = htons(from.port());
  if (from.address().is_v4()) {
    const auto bytes = from.address().to_v4().to_bytes();
    std::memcpy(address, bytes.data(), bytes.size());
  } else {
    const auto bytes = from.address().to_v6().to_bytes();
    std::memcpy(address, bytes.data(), bytes.size());
  }
}

// Returns the user of the socket that has this local and this remote end. Asks the kernel for this
// one socket (sock_diag(7)).
std::optional<uid_t> user_by_netlink(const tcp::endpoint& local, const tcp::endpoint& remote) {
  const netlink_socket kernel;
  struct {
    nlmsghdr head;
    inet_diag_req_v2 body;
  } question{};
  question.head.nlmsg_len = sizeof question;
  question.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.head.nlmsg_flags = NLM_F_REQUEST;
  question.body.sdiag_family = local.address().is_v4() ? AF_INET : AF_INET6;
  question.body.sdiag_protocol = IPPROTO_TCP;
  question.body.idiag_states = ~0U;
  put(local, question.body.id.idiag_src, question.body.id.idiag_sport);
  put(remote, question.body.id.idiag_dst, question.body.id.idiag_dport);
  question.body.id.idiag_cookie[0] = question.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  if (kernel.get() < 0 || ::send(kernel.get(), &question, sizeof question, 0) < 0) return std::nullopt;
  alignas(nlmsghdr) std::array<char, 4096> answer;
  const ssize_t got = ::recv(kernel.get(), answer.data(), answer.size(), 0);
  nlmsghdr head{};
  inet_diag_msg body{};
  if (got < static_cast<ssize_t>(NLMSG_HDRLEN + sizeof body)) return std::nullopt;
  std::memcpy(&head, answer.data(), sizeof head);
  if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY) return std::nullopt;  // an error
  std::memcpy(&body, answer.data() + NLMSG_HDRLEN, sizeof body);
  return body.idiag_uid;
}

// Writes an endpoint in the format of the kernel's tables of connections: each 32 bits of the
// address as the machine reads them.
std::string in_tables(const tcp::endpoint& of) {
  std::string made;
  const auto add = [&](const auto& bytes) {
    for (std::size_t at = 0; at != bytes.size(); at += sizeof(std::uint32_t)) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      std::array<char, 9> digits{};
      std::snprintf(digits.data(), digits.size(), "%08X", static_cast<unsigned>(word));
      made += digits.data();
    }
  };
  of.address().is_v4() ? add(of.address().to_v4().to_bytes()) : add(of.address().to_v6().to_bytes());
  std::array<char, 6> port{};
  std::snprintf(port.data(), port.size(), ":%04X", static_cast<unsigned>(of.port()));
  return made + port.data();
}

// A line is: number, local address, remote address, state, queues, timer, retransmissions, user, …
std::optional<uid_t> user_in(const char* table, const std::string& local, const std::string& remote) {
  std::istringstream lines(detail::text_of_file(table).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    if (line.find(local) == std::string::npos || line.find(remote) == std::string::npos) continue;
    std::istringstream words(line);
    std::array<std::string, 8> word;
    for (std::string& each : word) words >> each;
    uid_t user = 0;
    const std::string& digits = word.back();
    if (word[1] == local && word[2] == remote &&
        std::from_chars(digits.data(), digits.data() + digits.size(), user).ec == std::errc()) {
      return user;
    }
  }
  return std::nullopt;
}

tcp::endpoint mapped(const tcp::endpoint& of) {
  return {asio::ip::make_address_v6(asio::ip::v4_mapped, of.address().to_v4()), of.port()};
}

}  // namespace

bool caller::is_another_user() const { return user && *user != ::geteuid(); }

caller caller_of(const tcp::endpoint& here, const tcp::endpoint& there) {
  const tcp::endpoint to = unmapped(here);
  const tcp::endpoint from = unmapped(there);
  caller made{from.address().to_string(), std::nullopt};
  if (!from.address().is_loopback() && from.address() != to.address()) return made;
  made.user = user_by_netlink(from, to);
  if (made.user) return made;
  if (from.address().is_v6()) {
    made.user = user_in("/proc/net/tcp6", in_tables(from), in_tables(to));
  } else {
    made.user = user_in("/proc/net/tcp", in_tables(from), in_tables(to));
    // The other end may be a socket for both kinds of addresses.
    if (!made.user) made.user = user_in("/proc/net/tcp6", in_tables(mapped(from)), in_tables(mapped(to)));
  }
  return made;
}

}  // namespace weir::cluster
