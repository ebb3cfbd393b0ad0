// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

/// A program that a shell on another machine is to start.
struct remote_program {
  std::vector<std::string> words;
  std::string pre_command;                                       ///< shell command in front of the words
  std::string folder;                                            ///< working folder
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to the environment there
  std::string id_file;                                           ///< file with its process id there, while it runs
  std::string session_file;                                      ///< file with its process id, even after its end
  std::string ready;                                             ///< line that is printed before the program starts
  bool reads_input = false;                                      ///< if not, its standard input is empty
};

/// Puts the text in single quotes for a shell.
std::string quoted_for_shell(const std::string& text);

/// Returns the script that the shell there reads: one command, which ends with the program's exit
/// code. As a script, the environment does not appear in the arguments of any process, and no
/// quotes are removed on the way.
std::string script_for(const remote_program& program);

/// Exit code of a command, such as ssh, that could not start a program on another machine, or has
/// lost the connection to it.
inline constexpr int exit_of_broken_way = 255;

/// Returns the command that starts a shell on `host`: `via` with each `{host}` replaced, or ssh if
/// `via` is empty.
/// @param within time in which the host must answer
/// @throws std::runtime_error if `host` holds characters that can't be part of a host name
std::vector<std::string> shell_on(const std::string& host, const std::string& via, std::chrono::milliseconds within);

/// Returns an address in the form that precedes a port: an IPv6 address in brackets.
std::string in_brackets(const std::string& address);

/// Whether `host` is the name or an address of this machine.
bool is_this_machine(const std::string& host);

/// Returns the address of this machine to which answers from `host` are sent.
/// @throws std::runtime_error if there is none
std::string own_address_towards(const std::string& host);
