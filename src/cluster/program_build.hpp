// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace weir::cluster {

/// Which build of a program a process runs. Items cross between processes as the build lays them
/// out, and neither the name of a type nor its size says in which order its members lie. So groups
/// must run the same build, but for those who allow others.
struct program_build {
  struct library {
    std::string name;  ///< without its folder
    std::string id;

    static void describe(auto& self, auto& fields) {
      fields("name", self.name);
      fields("id", self.id);
    }
  };

  std::string program;             ///< its file
  std::string machine;             ///< such as x86_64
  std::string id;                  ///< of the linker, or else of the file's contents; hexadecimal
  std::vector<library> libraries;  ///< shared ones that are not of the system, whose updates change no item

  static const program_build& of_this_process();

  /// Lists the fields for messages.hpp.
  static void describe(auto& self, auto& fields) {
    fields("program", self.program);
    fields("machine", self.machine);
    fields("id", self.id);
    fields("libraries", self.libraries);
  }
};

/// How `one` differs from `other`, as something that is said of `one`; empty: not at all. Of
/// libraries only those count that both have: what only one has was preloaded into it, or loaded by
/// its nodes.
/// @param whose who runs `other`
std::string difference(const program_build& one, const program_build& other, const std::string& whose);

}  // namespace weir::cluster
