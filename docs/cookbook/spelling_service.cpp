// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A service over TCP: for each line with a word, the word of a dictionary that is most like it. Any
// number of clients may be connected.

#include <weir/run/stop_on.hpp>
#include <weir/serve/server.hpp>
#include <weir/weir.hpp>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <iostream>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace {

using words = std::vector<std::string>;

// Levenshtein's distance: how many letters to insert, delete or replace.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i != a.size(); ++i) {
    std::size_t across = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j != b.size(); ++j) {
      const std::size_t replaced = across + (a[i] == b[j] ? 0 : 1);
      across = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, across + 1});
    }
  }
  return row.back();
}

struct most_like {
  const words* dictionary;
  std::string operator()(const std::string& word) const {
    return *std::ranges::min_element(*dictionary, {}, [&](const std::string& each) { return distance(word, each); });
  }
};

// Answers the lines of one client, until it closes the connection, sends too long a line, or the
// service ends.
void talk(std::stop_token end, int client, weir::server<std::string, std::string>& service) {
  const std::stop_callback no_more(end, [client] { shutdown(client, SHUT_RD); });
  std::string held;
  char bytes[4096];
  for (ssize_t count = 0; held.size() < 65536 && (count = read(client, bytes, sizeof bytes)) > 0;) {
    held.append(bytes, static_cast<std::size_t>(count));
    for (std::size_t size = 0; (size = held.find('\n')) != std::string::npos; held.erase(0, size + 1)) {
      const std::string answer = service.request(held.substr(0, size)).get() + '\n';
      send(client, answer.data(), answer.size(), MSG_NOSIGNAL);  // a client that has gone ends the next read
    }
  }
  close(client);
}

int listen_at(int port) {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), again = 1;
  setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &again, sizeof again);
  const sockaddr_in here{AF_INET, htons(static_cast<std::uint16_t>(port)), {htonl(INADDR_LOOPBACK)}, {}};
  if (bind(made, reinterpret_cast<const sockaddr*>(&here), sizeof here) == 0 && listen(made, 64) == 0) return made;
  throw std::system_error(errno, std::generic_category(), "port " + std::to_string(port));
}

}  // namespace

int main(int argc, char** argv) try {
  const int port = argc == 3 ? std::atoi(argv[2]) : 0;
  if (port < 1 || port > 65535) {
    std::cerr << "usage: spelling_service DICTIONARY PORT\n";
    return 2;
  }
  std::ifstream in(argv[1]);
  const words dictionary(std::istream_iterator<std::string>(in), {});
  if (dictionary.empty()) throw std::runtime_error(std::string(argv[1]) + ": can't be read, or has no words");
  const int listener = listen_at(port);
  weir::stop_on signals({SIGINT, SIGTERM});
  const std::stop_callback no_more(signals.drain_token(), [listener] { shutdown(listener, SHUT_RD); });
  auto service = weir::serve(weir::farm(most_like{&dictionary}));
  std::vector<std::jthread> clients;
  for (int client = 0; (client = accept(listener, nullptr, nullptr)) >= 0;) {
    clients.emplace_back(&talk, client, std::ref(service));
  }
  clients.clear();  // answers what they have sent
  return signals.exit_code();
} catch (const std::exception& error) {
  std::cerr << "spelling_service: " << error.what() << '\n';
  return 1;
}
