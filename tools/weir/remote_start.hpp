// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

/// A program that is to be started by a shell on another machine.
struct remote_program {
  std::vector<std::string> words;
  std::string pre_command;                                       ///< of the shell, in front of the words
  std::string folder;                                            ///< where it runs
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to what is there
  std::string id_file;                                           ///< holds its process id there, while it runs
  std::string session_file;                                      ///< holds it there, also afterwards
  std::string ready;                                             ///< a line that is printed before it starts
  bool reads_input = false;                                      ///< else its standard input is empty
};

/// In single quotes, for a shell.
std::string quoted_for_shell(const std::string& text);

/// What the shell there reads: one command, which ends as the program does. So the environment
/// stands in nobody's arguments, and no quotes are taken away on the way.
std::string script_for(const remote_program& program);

/// What a command ends with that could not start a program on another machine, or has lost it, as
/// ssh does.
inline constexpr int exit_of_broken_way = 255;

/// The command that starts a shell on `host`: `via` with each `{host}` replaced, or ssh if that is
/// empty.
/// @throws std::runtime_error if `host` holds what is no part of a name
std::vector<std::string> shell_on(const std::string& host, const std::string& via);

/// An address as it stands in front of a port: one of IPv6 in brackets.
std::string in_brackets(const std::string& address);

/// Whether it is the name or an address of this machine.
bool is_this_machine(const std::string& host);

/// The address of this machine to which answers from `host` would come.
/// @throws std::runtime_error if it has none
std::string own_address_towards(const std::string& host);
