// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The sender copies messages into a buffer of 64 KiB, or one message, and writes that; the receiver reads into one and looks at each
// message.
#include "messages.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <vector>

using namespace weir_bench;

namespace {

sockaddr* address_of(sockaddr_in& in) { return reinterpret_cast<sockaddr*>(&in); }

std::int64_t cpu_of(int who) {
  rusage used{};
  getrusage(who, &used);
  const auto ns = [](const timeval& t) { return t.tv_sec * 1'000'000'000 + t.tv_usec * 1000; };
  return ns(used.ru_utime) + ns(used.ru_stime);
}

}  // namespace

int main(int argc, char** argv) {
  const options given = stream_options(argc, argv);
  const std::int64_t items = given["items"];
  const auto size = static_cast<std::size_t>(given["size"]);
  const std::size_t together = std::max<std::size_t>(65'536 / size, 1);

  const int listening = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof at;
  if (bind(listening, address_of(at), sizeof at) != 0 || listen(listening, 1) != 0 ||
      getsockname(listening, address_of(at), &length) != 0) {
    return 1;
  }
  double sum = 0;
  const std::int64_t wall = in_two_processes(
      [&] {
        const int to = socket(AF_INET, SOCK_STREAM, 0);
        const int on = 1;
        setsockopt(to, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (connect(to, address_of(at), sizeof at) != 0) std::_Exit(1);
        std::vector<char> message(size);
        std::vector<char> buffer(together * size);
        for (std::int64_t next = 0; next != items;) {
          std::size_t count = 0;
          for (; count != together && next != items; ++count, ++next) {
            std::memcpy(message.data(), &next, sizeof next);
            std::memcpy(buffer.data() + count * size, message.data(), size);
          }
          for (std::size_t sent = 0; sent != count * size;) {
            const ssize_t wrote = write(to, buffer.data() + sent, count * size - sent);
            if (wrote <= 0) std::_Exit(1);
            sent += static_cast<std::size_t>(wrote);
          }
        }
      },
      [&] {
        const int from = accept(listening, nullptr, nullptr);
        const std::int64_t before = now_ns();
        std::vector<char> buffer(together * size);
        for (std::size_t held = 0;;) {
          const ssize_t got = read(from, buffer.data() + held, buffer.size() - held);
          if (got <= 0) break;
          held += static_cast<std::size_t>(got);
          const std::size_t whole = held / size;
          for (std::size_t i = 0; i != whole; ++i) {
            std::int64_t first = 0;
            std::memcpy(&first, buffer.data() + i * size, sizeof first);
            sum += static_cast<double>(first);
          }
          held -= whole * size;
          std::memmove(buffer.data(), buffer.data() + whole * size, held);
        }
        return now_ns() - before;
      });
  print_stream("bare", items, given["size"], {wall, cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN)}, sum);
}
