// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Bare TCP. The sender copies messages into a buffer of 64 KiB and writes the buffer; it writes
// larger messages one by one and without a copy. The receiver reads into a buffer, and looks at
// each message.
#include "messages.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = stream_options(argc, argv);
  const std::int64_t items = given["items"];
  const auto size = static_cast<std::size_t>(given["size"]);
  const std::size_t together = std::max<std::size_t>(65'536 / size, 1);
  const std::int64_t from_host = given["hosts"] == 0 ? 0 : 1;
  const std::int64_t to_host = given["hosts"] == 0 ? 0 : 2;

  const listener at = listen_on(to_host);
  const shared_value<stream_outcome> outcome;
  const pid_t sender = start_process([&] {
    enter_host(from_host);
    const int to = connect_to(at);
    std::vector<char> message(size);
    std::vector<char> buffer(together * size);
    for (std::int64_t next = 0; next != items;) {
      std::size_t count = 0;
      for (; count != together && next != items; ++count, ++next) {
        std::memcpy(message.data(), &next, sizeof next);
        if (together != 1) std::memcpy(buffer.data() + count * size, message.data(), size);
      }
      write_all(to, together == 1 ? message.data() : buffer.data(), count * size);
    }
  });
  const pid_t receiver = start_process([&] {
    const int from = accept_at(at);
    const std::int64_t before = now_ns();
    std::vector<char> buffer(together * size);
    double sum = 0;
    for (std::size_t held = 0;;) {
      const ssize_t got = ::read(from, buffer.data() + held, buffer.size() - held);
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
    outcome->sum = sum;
    outcome->wall_ns = now_ns() - before;
  });
  wait_for_processes({sender, receiver});
  outcome->cpu_ns = cpu_ns_with_children();
  print_stream("bare", given, *outcome);
}
