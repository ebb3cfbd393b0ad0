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
  std::string ready;  ///< if not empty: a line that is printed before it starts, and then it
                      ///< reads standard input, which is empty else
};

/// What the shell there reads: one command, at the end of which the shell has become the program. So neither the words nor the
/// environment stand in anybody's arguments, and no quotes are taken away on their way.
std::string script_for(const remote_program& program);

/// The command that starts a shell on `host`: `via` with each `{host}` replaced, or ssh if that is empty.
/// @throws std::runtime_error if `host` holds what is no part of a name
std::vector<std::string> shell_on(const std::string& host, const std::string& via);

/// Whether it is the name or an address of this machine.
bool is_this_machine(const std::string& host);

/// The address of this machine to which answers from `host` would come. @throws std::runtime_error if it has none
std::string own_address_towards(const std::string& host);
