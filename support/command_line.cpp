// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/command_line.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>

namespace weir::support {

std::optional<int> parse(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& wrong) {
    std::string said = wrong.what();
    for (char& c : said) {
      if (c == '\n') c = ' ';
    }
    fmt::print(stderr, "{0}: {1}; see {0} --help\n", app.get_name(), said);
    return wrong_usage;
  }
  return std::nullopt;
}

CLI::Validator whole_number(long long least, long long most) {
  const std::string limits = fmt::format("a whole number from {} to {}", least, most);
  return CLI::Validator(
      [=](const std::string& text) {
        long long value = 0;
        const char* const end = text.data() + text.size();
        const auto [stopped, error] = std::from_chars(text.data(), end, value);
        const bool good = error == std::errc() && stopped == end && value >= least && value <= most;
        return good ? std::string() : fmt::format("'{}' is not {}", text, limits);
      },
      "");
}

}  // namespace weir::support
