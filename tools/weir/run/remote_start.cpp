// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/remote_start.hpp"

#include "common/files.hpp"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <stdexcept>

namespace {

// Calls act(address) for each address of the host until `act` returns true.
// @return the reason why the host has no addresses; empty: it has some
template <class Act>
std::string each_address(const std::string& host, Act&& act) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const int problem = getaddrinfo(host.c_str(), "9", &hints, &found);
  if (problem != 0) return gai_strerror(problem);
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(found, freeaddrinfo);
  for (const addrinfo* each = all.get(); each != nullptr; each = each->ai_next) {
    if (act(*each)) break;
  }
  return "";
}

}  // namespace

std::string quoted_for_shell(const std::string& text) {
  std::string made = "'";
  for (const char c : text) made += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return made + "'";
}

// The shell is not replaced by the program. It therefore turns a signal that ends the program into
// an exit code, as shells do.
std::string script_for(const remote_program& program) {
  const auto quoted = quoted_for_shell;
  std::string script = "{ cd " + quoted(program.folder);
  for (const auto& [name, value] : program.environment) script += " && export " + name + "=" + quoted(value);
  script += " && printf '%s\\n' " + quoted(program.ready);
  const std::string pre_command = program.pre_command.empty() ? "" : program.pre_command + " ";
  // Runs the program in a session of its own, if setsid is available. Processes that the program
  // leaves behind can be found by the session.
  script += " && $(command -v setsid) sh -c " +
            quoted("echo $$ >\"$0\" && echo $$ >\"$1\" && shift && exec " + pre_command + "\"$@\"") + " " +
            quoted(program.id_file) + " " + quoted(program.session_file);
  for (const std::string& word : program.words) script += " " + quoted(word);
  if (!program.reads_input) script += " </dev/null";
  return script + "; code=$?; rm -f " + quoted(program.id_file) + "; exit $code; }\n";
}

std::vector<std::string> shell_on(const std::string& host, const std::string& via, std::chrono::milliseconds within) {
  const auto belongs = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string("._-:@%").find(static_cast<char>(c)) != std::string::npos;
  };
  if (host.empty() || host.front() == '-' || !std::ranges::all_of(host, belongs)) {
    throw std::runtime_error("\"" + host + "\" is not the name of a host; check --hosts and the endpoints");
  }
  if (via.empty()) {
    // ssh gives up a moment before the launcher does, because it knows the reason.
    const auto seconds =
        std::max<std::chrono::seconds::rep>(std::chrono::floor<std::chrono::seconds>(within).count() - 1, 1);
    return {"ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=" + std::to_string(seconds), host, "sh", "-s"};
  }
  const std::string place = "{host}";
  std::string command = via;
  for (std::size_t at = 0; (at = command.find(place, at)) != std::string::npos; at += host.size()) {
    command.replace(at, place.size(), host);
  }
  return {"/bin/sh", "-c", "exec " + command + " sh -s"};
}

std::string in_brackets(const std::string& address) {
  return address.find(':') == std::string::npos || address.starts_with('[') ? address : "[" + address + "]";
}

bool is_this_machine(const std::string& host) {
  bool found = false;
  each_address(host, [&](const addrinfo& each) {
    const descriptor probe(socket(each.ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    // Only an address of this machine can be bound to. Port 0 avoids conflicts with other programs.
    std::array<std::byte, sizeof(sockaddr_storage)> any{};
    std::copy_n(reinterpret_cast<const std::byte*>(each.ai_addr), each.ai_addrlen, any.begin());
    auto* const address = reinterpret_cast<sockaddr*>(any.data());
    any[2] = any[3] = std::byte{0};  // the port, in both families
    found = bind(*probe, address, each.ai_addrlen) == 0;
    return found;
  });
  return found;
}

std::string own_address_towards(const std::string& host) {
  std::string found;
  std::string problem = each_address(host.substr(host.find('@') + 1), [&](const addrinfo& each) {
    // Connecting a datagram socket sends nothing, but selects the route.
    const descriptor probe(socket(each.ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    std::array<char, NI_MAXHOST> name{};
    if (connect(*probe, each.ai_addr, each.ai_addrlen) != 0) return false;
    if (getsockname(*probe, reinterpret_cast<sockaddr*>(&own), &length) != 0) return false;
    if (getnameinfo(reinterpret_cast<sockaddr*>(&own), length, name.data(), name.size(), nullptr, 0, NI_NUMERICHOST) !=
        0)
      return false;
    found = name.data();
    return true;
  });
  if (problem.empty()) problem = "there is no way to it";
  if (!found.empty()) return found;
  throw std::runtime_error("can't find the address at which " + host + " reaches this machine: " + problem +
                           "; give it with --address");
}
