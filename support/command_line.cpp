// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/command_line.hpp"

#include "support/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace weir::support {

std::optional<int> parse(CLI::App& app, int argc, const char* const* argv) {
  const auto who = [&] {
    const auto chosen = app.get_subcommands();
    return app.get_name() + (chosen.empty() ? "" : " " + chosen.front()->get_name());
  };
  const auto wrong_call = [&](const std::string& said) {
    complain(who(), fmt::format("{}; see {} --help", said, who()));
    return wrong_usage;
  };
  try {
    std::vector<std::string> words(argv + 1, argv + argc);
    for (std::string& word : words) {
      // CLI11 would take the next word for the value.
      if (word.starts_with("--") && word.ends_with("=")) return wrong_call(word + " has no value");
      // CLI11 would take it for a list. As the name of a file it means the same.
      if (word.starts_with("[") && word.ends_with("]")) word.insert(0, "./");
    }
    std::reverse(words.begin(), words.end());
    app.parse(std::move(words));
    std::vector<CLI::App*> commands = app.get_subcommands();
    commands.push_back(&app);
    for (const CLI::App* command : commands) {
      for (const CLI::Option* option : command->get_options()) {
        if (option->get_positional() || option->get_type_name().empty()) continue;
        for (const std::string& value : option->results()) {
          if (value.empty()) return wrong_call(option->get_name() + " has no value");
        }
      }
    }
  } catch (const CLI::Success& asked) {
    std::ostringstream text;
    const int code = app.exit(asked, text, text);
    try {
      write_standard_output(text.str());
    } catch (const std::exception& error) {
      complain(who(), error.what());
      return failure;
    }
    return code;
  } catch (const CLI::ParseError& wrong) {
    return wrong_call(wrong.what());
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
