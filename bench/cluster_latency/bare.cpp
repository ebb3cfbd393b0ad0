// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Bare TCP: a `write` and a `read` at either end.
#include "round_trips.hpp"

using namespace weir_bench;

int main(int argc, char** argv) {
  const options given = round_trip_options(argc, argv);
  const listener at = listen_on(0);
  const shared_value<round_trip_outcome> outcome;
  const pid_t catcher = start_process([&] {
    const int connection = accept_at(at);
    round_trip_message item;
    while (read_all(connection, &item, sizeof item)) write_all(connection, &item, sizeof item);
  });
  const pid_t thrower = start_process([&] {
    const int connection = connect_to(at);
    round_trips trips(given["items"]);
    round_trip_message item;
    const std::int64_t before = now_ns();
    do {
      trips.leaves();
      write_all(connection, &item, sizeof item);
      if (!read_all(connection, &item, sizeof item)) give_up("the other side");
    } while (trips.is_back());
    outcome->wall_ns = now_ns() - before;
    trips.tell(*outcome);
  });
  wait_for_processes({catcher, thrower});
  outcome->cpu_ns = cpu_ns_with_children();
  print_round_trips("bare", given, *outcome);
}
