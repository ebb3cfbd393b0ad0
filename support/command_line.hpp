// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/described_command.hpp"

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// CLI11 takes seconds to compile and is therefore included by command_line.cpp and
// command_notes.cpp only.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace weir::support {

struct command_notes;

/// Exit codes of the programs that belong to weir.
inline constexpr int failure = 1;      ///< a request could not be carried out
inline constexpr int wrong_usage = 2;  ///< the call is wrong

/// Types of values that an option can have. A new type needs a line here and one in
/// command_line.cpp.
template <class Value>
concept option_value =
    std::same_as<Value, int> || std::same_as<Value, unsigned> || std::same_as<Value, long> ||
    std::same_as<Value, unsigned long> || std::same_as<Value, double> || std::same_as<Value, std::string> ||
    std::same_as<Value, std::vector<std::string>> || std::same_as<Value, std::optional<int>> ||
    std::same_as<Value, std::optional<unsigned long>> || std::same_as<Value, std::optional<double>>;

/// One option, flag or positional argument, owned by its command. A copy denotes the same option;
/// no copy may outlive the command.
class option {
 public:
  option(CLI::Option& shown, command_notes& notes) noexcept : option_(&shown), notes_(&notes) {}

  /// Makes a call without the option wrong.
  option required();
  /// Sets the name of the value in the help. Shells complete a value whose name begins with FILE,
  /// FOLDER, DIR or HOST, or is COMMAND, as such a name; a positional argument as a file.
  option value_name(const std::string& name);
  /// Sets the text behind the option's name in the help; it replaces the name of the value and all
  /// else.
  option shown_as(const std::string& text);
  /// Lets the help show the present value as the default.
  option shows_default();
  /// Puts the option under this heading in the help.
  option group(const std::string& heading);
  /// Lets an option that is a list take one value each time it is given, not all words that follow.
  option one_value_each_time();

  /// Requires the value to be a whole number between two limits. The message names the option, the
  /// value and the limits.
  option whole_number(long long least, long long most);
  /// Requires the value to be a number between two limits.
  option number(double least, double most);
  /// Lets shells complete the value as such a name, whatever it is called.
  option completed_by(offered names);
  /// Lets shells offer these values; others are possible.
  option suggests(std::vector<std::string> values);
  /// Requires the value to be one of these.
  option one_of(std::vector<std::string> values);
  /// @param complaint returns what is wrong with a value; empty: nothing
  option check(std::function<std::string(const std::string& value)> complaint);
  /// Like `check`, but `complaint` may also replace the value before the other checks.
  /// @param kind the name of such a value in messages
  option transform(std::function<std::string(std::string& value)> complaint, const std::string& kind);
  /// Makes a call with both options wrong.
  option excludes(option other);
  /// Makes a call with this option but without the other one wrong.
  option needs(option other);

  /// Whether the parsed call has the option.
  bool is_given() const;

 private:
  CLI::Option* option_;
  command_notes* notes_;
};

/// The command line of a program or of one of its subcommands. Copies denote the same command.
/// parse() writes to the variables that are bound to the command, which must still exist then.
/// `names` are "-s,--long", or one word for a positional argument.
///
/// Each command also has --man, which prints its manual page, and --completion SHELL, which prints
/// its completion for bash, zsh or fish. The help does not show these two.
class command {
 public:
  command(const std::string& description, const std::string& name);

  /// Adds an option that stores its value.
  template <option_value Value>
  option add(const std::string& names, Value& value, const std::string& help);
  /// Adds an option that passes its value to `take`.
  option add(const std::string& names, std::function<void(const std::string& value)> take, const std::string& help);
  /// Adds an option without a value that sets `value` to true.
  option flag(const std::string& names, bool& value, const std::string& help);
  /// Adds an option without a value, or with one behind `=`. Each name has in braces the value that
  /// it stands for without one.
  option flag(const std::string& names, std::string& value, const std::string& help);
  /// Adds an option without a value that calls `act`.
  option flag(const std::string& names, std::function<void()> act, const std::string& help);

  /// Stores words that are neither options nor positional arguments, instead of rejecting them.
  void take_unexpected(std::vector<std::string>& words);
  /// Prints the help for --help only, and leaves -h free.
  void long_help_only();
  /// Adds --version, which prints "NAME NUMBER", and `more` in lines below.
  void version(const std::string& number, const std::string& more = "");
  /// Ends the help with this text, whose lines have at most 80 columns. manual_page.cpp says which
  /// of them become sections.
  void footer(const std::string& text);
  /// Begins the help with "Usage: " and these words instead of a line generated from the options.
  void usage(const std::string& words);
  /// Names manual pages of section 1 that belong to this one.
  void see_also(std::vector<std::string> pages);
  /// Says that a program and its arguments follow `--`.
  void starts_program();
  /// Describes a subcommand that is parsed by itself. The help does not show it.
  void part(const command& other);
  /// Adds a subcommand, which lives as long as this command.
  command subcommand(const std::string& name, const std::string& description);

  /// Returns the name that the command was made with.
  std::string name() const;
  /// Whether the parsed call chose this subcommand.
  bool is_chosen() const;

  /// Parses a call and stores its values in the bound variables. An option with an empty value is
  /// an error. Returns an exit code if the program has to end: after the help or the version, or
  /// after a wrong call, which is reported in one line on standard error.
  std::optional<int> parse(int argc, const char* const* argv);

 private:
  command(std::shared_ptr<CLI::App> app, std::shared_ptr<command_notes> notes);

  option noted(CLI::Option& made) { return {made, *notes_}; }
  void add_manual();
  std::string unknown_word() const;

  std::shared_ptr<CLI::App> app_;
  std::shared_ptr<command_notes> notes_;
};

/// Splits a list at its commas.
std::vector<std::string> split_list(const std::string& text);

}  // namespace weir::support
