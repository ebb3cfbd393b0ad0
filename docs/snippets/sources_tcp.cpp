// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 0: one.0: two.done

#include <weir/io/from.hpp>
#include <weir/io/tcp.hpp>
#include <weir/serve/accelerator.hpp>
#include <weir/weir.hpp>

#include <future>
#include <iostream>
#include <string>

int main() {
  std::promise<std::uint16_t> listening;
  weir::listen_options options{.address = "127.0.0.1", .port = 0, .peers = 1};  // a free port, one peer
  options.on_listening = [&](std::uint16_t port) { listening.set_value(port); };

  weir::network server = weir::listen_for_lines(options) |
                         weir::sink([](weir::peer_line said) { std::cout << said.peer << ": " << said.line << '\n'; });
  weir::running handle = weir::start(server);

  weir::run(weir::from({std::string("one"), std::string("two")}) |
            weir::send_lines("127.0.0.1", listening.get_future().get()));
  handle.wait();  // the one peer has closed; without a limit of peers, drain() would end it

  std::cout << "done\n";
}
