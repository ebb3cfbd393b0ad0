// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

//   prints_and_ends STREAM BYTES END    two nodes in groups of their own, A and B. A writes BYTES bytes, in lines,
//                                       to a stream, 1 or 2. Once there is a file `go`, B ends the run: well, exit N,
//                                       kill N, "throw M", of which main makes the exit code M; late: B throws, and
//                                       writes the bytes itself while it exits. A process with ANOTHER in its
//                                       environment runs another network.
#include <weir/weir.hpp>

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

void print(int stream, long bytes) {
  // 64 KiB at a time: 64 MB must be out within the two seconds that the launcher waits after a
  // failure.
  const std::string line = std::string(63, 'x') + '\n';
  std::string lines;
  while (lines.size() < 65536) lines += line;
  while (bytes > 0) {
    const ssize_t wrote = ::write(stream, lines.data(), std::min(lines.size(), static_cast<std::size_t>(bytes)));
    if (wrote <= 0) return;
    bytes -= wrote;
  }
}

void end(const std::string& how) {
  if (how.starts_with("exit ")) std::_Exit(std::stoi(how.substr(5)));
  if (how.starts_with("kill ")) ::kill(::getpid(), std::stoi(how.substr(5)));
  if (how.starts_with("throw ") || how == "late") throw std::runtime_error("was told to throw");
}

}  // namespace

int main(int, char** arguments) {
  const int stream = std::stoi(arguments[1]);
  const long bytes = std::stol(arguments[2]);
  const std::string how = arguments[3];
  bool sent = false;
  auto read = weir::source([&]() -> std::optional<long> {
                if (sent) {
                  if (how != "late") print(stream, bytes);
                  return std::nullopt;
                }
                sent = true;
                return 1;
              }).in_group("A");
  auto wait = weir::sink([&](long) {
                while (::access("go", F_OK) != 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
                end(how);
              }).in_group("B");
  auto pass = weir::node([](long item) { return item; }).in_group("A");
  weir::network net =
      std::getenv("ANOTHER") == nullptr ? weir::network(read | wait) : weir::network(read | pass | wait);
  try {
    weir::run(net);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "prints_and_ends: %s\n", problem.what());
    if (how == "late") print(stream, bytes);
    return how.starts_with("throw ") ? std::stoi(how.substr(6)) : 7;
  }
  return 0;
}
