// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: ^as many out as in, 130

#include <weir/run/stop_on.hpp>
#include <weir/weir.hpp>

#include <csignal>
#include <iostream>
#include <optional>

int run_until_interrupted(weir::network& net) {
  weir::stop_on signals({SIGINT, SIGTERM});
  weir::run(net, {.stop = signals.cancel_token(), .drain = signals.drain_token()});
  return signals.exit_code();  // 0, or 128 and the signal's number
}

int main() {
  std::signal(SIGINT, SIG_DFL);  // even if the shell ignores it
  long sent = 0;
  long received = 0;
  weir::network net = weir::source([&sent]() -> std::optional<long> { return ++sent; }) | weir::sink([&received](long) {
                        if (++received == 1000) std::raise(SIGINT);  // as Ctrl-C does
                      });
  const int code = run_until_interrupted(net);
  std::cout << (sent == received ? "as many out as in, " : "some are missing, ") << code << '\n';
}
