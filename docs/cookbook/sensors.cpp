// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Takes lines "SECONDS SENSOR VALUE" over TCP, and shows Prometheus the mean of each sensor in its
// last ten seconds, at http://127.0.0.1:PORT/metrics.

#include <weir/io/tcp.hpp>
#include <weir/patterns/aggregates.hpp>
#include <weir/patterns/time_window.hpp>
#include <weir/run/stop_on.hpp>
#include <weir/weir.hpp>

#include <arpa/inet.h>
#include <unistd.h>

#include <csignal>
#include <iomanip>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

namespace {

struct reading {
  long at;  // seconds
  std::string sensor;
  double value;
};
using mean = weir::keyed_window<std::string, double, std::int64_t>;

// The numbers that Prometheus gets.
struct metrics {
  long ignored = 0;
  std::map<std::string, mean> last{};
  std::mutex lock{};
  std::string text() {
    const std::lock_guard locked(lock);
    std::ostringstream out;
    out << "# TYPE sensor_mean gauge\n# HELP sensor_mean Mean of ten seconds.\n";
    for (const auto& [sensor, m] : last) out << "sensor_mean{sensor=" << std::quoted(sensor) << "} " << m.value << '\n';
    out << "# TYPE ignored_lines counter\nignored_lines_total " << ignored << "\n# EOF\n";
    return out.str();
  }
};

int listen_at(int port) {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), again = 1;
  setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &again, sizeof again);
  const sockaddr_in here{AF_INET, htons(static_cast<std::uint16_t>(port)), {htonl(INADDR_LOOPBACK)}, {}};
  if (bind(made, reinterpret_cast<const sockaddr*>(&here), sizeof here) == 0 && listen(made, 64) == 0) return made;
  throw std::system_error(errno, std::generic_category(), "port " + std::to_string(port));
}

// Answers each request with the metrics, until it is told to end.
void serve(std::stop_token end, int listener, metrics& all) {
  const std::stop_callback no_more(end, [listener] { shutdown(listener, SHUT_RD); });
  for (int client = 0; (client = accept(listener, nullptr, nullptr)) >= 0; close(client)) {
    const timeval patience{.tv_sec = 1, .tv_usec = 0};
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    char request[4096];
    if (read(client, request, sizeof request) <= 0) continue;
    const std::string answer =
        "HTTP/1.0 200 OK\r\nContent-Type: application/openmetrics-text; version=1.0.0\r\n\r\n" + all.text();
    send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const int from = argc == 3 ? std::atoi(argv[1]) : 0, to = argc == 3 ? std::atoi(argv[2]) : 0;
  if (from < 1 || from > 65535 || to < 1 || to > 65535) {
    std::cerr << "usage: sensors SENSORS_PORT METRICS_PORT\n";
    return 2;
  }
  metrics all;
  const auto parse = [&all](const weir::peer_line& said, weir::outlet<reading>& out) {
    std::istringstream in(said.line);
    reading made{};
    if (in >> made.at >> made.sensor >> made.value) return out.send(made);
    const std::lock_guard locked(all.lock);
    ++all.ignored;
  };
  const auto means = weir::keyed(&reading::sensor, weir::time_window(&reading::at, 10, weir::mean_of(&reading::value)));
  const auto keep = [&all](const mean& m) {
    const std::lock_guard locked(all.lock);
    all.last.insert_or_assign(m.key, m);
  };
  const std::jthread web(&serve, listen_at(to), std::ref(all));
  weir::network net =
      weir::listen_for_lines({.address = "127.0.0.1", .port = static_cast<std::uint16_t>(from)}).named("listen") |
      weir::node(parse).named("parse") | weir::farm(means).by_key(&reading::sensor).named("average") |
      weir::sink(keep).named("keep");
  weir::stop_on signals({SIGINT, SIGTERM});
  weir::run(net, {.stop = signals.cancel_token(), .drain = signals.drain_token()});
  return signals.exit_code();
} catch (const std::exception& error) {
  std::cerr << "sensors: " << error.what() << '\n';
  return 1;
}
