// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/page_address.hpp"

#include "support/output.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <strings.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <climits>
#include <optional>
#include <stdexcept>
#include <utility>

namespace {

bool is_ipv4(const std::string& text) {
  in_addr none{};
  return ::inet_pton(AF_INET, text.c_str(), &none) == 1;
}

bool is_ipv6(const std::string& text) {
  in6_addr none{};
  return ::inet_pton(AF_INET6, text.c_str(), &none) == 1;
}

bool is_equal(const std::string& a, const std::string& b) { return ::strcasecmp(a.c_str(), b.c_str()) == 0; }

std::string name_of_this_machine() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

std::optional<std::uint16_t> port_of(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

// Splits `address:port`, `[address]:port` or `address`; the second part is empty if there is none.
std::pair<std::string, std::string> parted(const std::string& text) {
  const std::size_t bracket = text.starts_with('[') ? text.find(']') : std::string::npos;
  if (bracket != std::string::npos) {
    const std::string rest = text.substr(bracket + 1);
    return {text.substr(0, bracket + 1), rest.starts_with(':') ? rest.substr(1) : rest.empty() ? "" : ":"};
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, ""};
  return {text.substr(0, colon), colon + 1 == text.size() ? ":" : text.substr(colon + 1)};
}

bool is_in_brackets(const std::string& text) { return text.size() > 2 && text.front() == '[' && text.back() == ']'; }

std::string without_brackets(const std::string& text) { return text.substr(1, text.size() - 2); }

}  // namespace

bool page_address::is_loopback() const { return ip == "::1" || (is_ipv4(ip) && ip.starts_with("127.")); }

std::string page_address::url_host() const {
  if (ip == "0.0.0.0" || ip == "::") return name_of_this_machine();
  return is_ipv6(ip) ? '[' + ip + ']' : ip;
}

page_address parse_page_address(const std::string& text) {
  page_address made;
  if (text.empty()) return made;
  const bool has_address = text.find(':') != std::string::npos || text.starts_with('[');
  const auto [address, port_text] = has_address ? parted(text) : std::pair<std::string, std::string>("127.0.0.1", text);
  const std::optional<std::uint16_t> port = port_of(port_text);
  const std::string ip = is_in_brackets(address) ? without_brackets(address) : address;
  const bool is_address = is_in_brackets(address) ? is_ipv6(ip) : is_ipv4(ip) || is_equal(ip, "localhost");
  if (!port || !is_address) {
    throw std::invalid_argument("--web: " + weir::support::quoted_name(text) +
                                " is no address; say --web=PORT or --web=ADDRESS:PORT, such as 127.0.0.1:8080 or "
                                "[::1]:8080");
  }
  made.port = *port;
  if (!is_equal(ip, "localhost")) made.ip = ip;
  return made;
}

bool is_own_host(std::string_view host) {
  const auto [name, port] = parted(std::string(host));
  if (!port.empty() && !port_of(port)) return false;
  if (is_in_brackets(name)) return is_ipv6(without_brackets(name));
  return is_ipv4(name) || is_equal(name, "localhost") || is_equal(name, name_of_this_machine());
}
