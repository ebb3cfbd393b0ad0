// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// CLI11 takes seconds to compile, so it is included by command_line.cpp only.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace weir::support {

/// Exit codes of weir's own programs.
inline constexpr int failure = 1;      ///< something that was asked for could not be done
inline constexpr int wrong_usage = 2;  ///< the call makes no sense

/// Types of values that an option can have. One more is a line here and one in command_line.cpp.
template <class Value>
concept option_value =
    std::same_as<Value, int> || std::same_as<Value, unsigned> || std::same_as<Value, long> ||
    std::same_as<Value, unsigned long> || std::same_as<Value, double> || std::same_as<Value, std::string> ||
    std::same_as<Value, std::vector<std::string>> || std::same_as<Value, std::optional<int>> ||
    std::same_as<Value, std::optional<unsigned long>> || std::same_as<Value, std::optional<double>>;

/// One option, flag or positional argument of a command, which keeps it: a copy is the same option,
/// and none may outlive the command.
class option {
 public:
  explicit option(CLI::Option& shown) noexcept : option_(&shown) {}

  /// A call without it is wrong.
  option required();
  /// The help has this name for its value.
  option value_name(const std::string& name);
  /// This text stands behind its name in the help, in place of its value's name and of all else.
  option shown_as(const std::string& text);
  /// The help tells what its value is now.
  option shows_default();
  /// The help has it under this heading.
  option group(const std::string& heading);
  /// A list takes one value each time that it is given, not all words that follow.
  option one_value_each_time();

  /// Its value must be a whole number between two limits: the message names the option, the value
  /// and the limits.
  option whole_number(long long least, long long most);
  /// Its value must be a number between two limits.
  option number(double least, double most);
  /// Its value must be one of these.
  option one_of(std::vector<std::string> values);
  /// @param complaint what is wrong with a value; empty: nothing
  option check(std::function<std::string(const std::string& value)> complaint);
  /// Likewise, and it may put another text in the value's place, before what else is checked.
  /// @param kind what a value is called in messages
  option transform(std::function<std::string(std::string& value)> complaint, const std::string& kind);
  /// A call that has both is wrong.
  option excludes(option other);
  /// A call that has it without the other one is wrong.
  option needs(option other);

  /// Whether the call that was parsed has it.
  bool is_given() const;

 private:
  CLI::Option* option_;
};

/// How a program, or a subcommand of it, can be called. Copies are the same command. What is bound
/// to it is written to by parse(), so it must still be there then. `names` are "-s,--long", or one
/// word for a positional argument.
class command {
 public:
  command(const std::string& description, const std::string& name);

  /// An option that stores its value.
  template <option_value Value>
  option add(const std::string& names, Value& value, const std::string& help);
  /// An option that gives its value to `take`.
  option add(const std::string& names, std::function<void(const std::string& value)> take, const std::string& help);
  /// An option without a value, which makes `value` true.
  option flag(const std::string& names, bool& value, const std::string& help);
  /// An option without a value, or with one behind `=`. Names have in braces what they mean
  /// without.
  option flag(const std::string& names, std::string& value, const std::string& help);
  /// An option without a value, for which `act` is called.
  option flag(const std::string& names, std::function<void()> act, const std::string& help);

  /// Words that are neither options nor for positional arguments go there, instead of being wrong.
  void take_unexpected(std::vector<std::string>& words);
  /// Help is asked for by --help only, and -h is free.
  void long_help_only();
  /// Adds --version, which prints this line.
  void version(const std::string& text);
  /// The help ends with this text.
  void footer(const std::string& text);
  /// The help begins with "Usage: " and this instead of what is made up from the options.
  void usage(const std::string& words);
  /// A command of its own behind the name of this one, with which it is gone.
  command subcommand(const std::string& name, const std::string& description);

  /// The name that it was made with.
  std::string name() const;
  /// Whether the call that was parsed is one of this subcommand.
  bool is_chosen() const;

  /// Parses a call into what is bound. An option with an empty value is a wrong call. If the
  /// program is to end here (it was asked for help or its version, or the call is wrong, which one
  /// line on standard error then says) returns its exit code.
  std::optional<int> parse(int argc, const char* const* argv);

 private:
  explicit command(std::shared_ptr<CLI::App> app) noexcept;

  std::shared_ptr<CLI::App> app_;
};

/// The items of a list with commas between them.
std::vector<std::string> split_list(const std::string& text);

}  // namespace weir::support
