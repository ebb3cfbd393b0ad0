// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: log: can't write the trace '/dev/full' .No space left on device.; it is left empty

#include <weir/graph/notice.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <optional>
#include <string_view>

int main() {
  weir::set_notice_handler([](std::string_view text) { std::cout << "log: " << text << std::endl; });
  weir::network net = weir::source([next = 0]() mutable -> std::optional<int> {
                        if (next == 10) return std::nullopt;
                        return next++;
                      }) |
                      weir::sink([](int) {});
  weir::run(net, {.trace = {"/dev/full"}});
}
