// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: ^both were written

#include <weir/weir.hpp>

#include <filesystem>
#include <iostream>
#include <optional>

int main() {
  std::filesystem::current_path(std::filesystem::temp_directory_path());
  int sum = 0;
  weir::network net = weir::source([next = 0]() mutable -> std::optional<int> {
                        if (next == 100'000) return std::nullopt;
                        return ++next;
                      }).named("read") |
                      weir::farm([](int n) { return n + 1; }, 2).named("work") |
                      weir::sink([&](int n) { sum += n; }).named("add");

  weir::run(net, {.trace = {"run.json.gz"}});

  weir::run(net, {.trace = {.file = "end.json", .bytes = 1 << 20}});  // the end of the run

  const bool both = std::filesystem::file_size("run.json.gz") != 0 && std::filesystem::file_size("end.json") != 0;
  std::filesystem::remove("run.json.gz");
  std::filesystem::remove("end.json");
  std::cout << (both ? "both were written\n" : "one is missing\n");
}
