// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: hello parallel world

#include <weir/weir.hpp>

#include <cctype>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>

namespace {

std::string lower(std::string word) {
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

}  // namespace

int main() {
  std::istringstream in("Hello PARALLEL World");

  auto read = weir::source([&]() -> std::optional<std::string> {
    std::string word;
    if (!(in >> word)) return std::nullopt;
    return word;
  });
  auto write = weir::sink([](std::string word) { std::cout << word << ' '; });

  weir::run(read | weir::farm(&lower).ordered() | write);
}
