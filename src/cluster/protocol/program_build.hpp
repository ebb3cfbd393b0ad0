// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace weir::cluster {

/// Identifies the build of the program that a process runs. Items cross between processes in the
/// layout of the build, and neither the name nor the size of a type determines the order of its
/// members. So groups must run the same build, unless the configuration allows others.
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
  std::string id;                  ///< the linker's build id, or else a hash of the file's contents; hexadecimal
  std::vector<library> libraries;  ///< shared ones that are not of the system, whose updates change no item

  static const program_build& of_this_process();

  /// Lists the fields; see describe.hpp.
  static void describe(auto& self, auto& fields) {
    fields("program", self.program);
    fields("machine", self.machine);
    fields("id", self.id);
    fields("libraries", self.libraries);
  }
};

/// Describes how `one` differs from `other`, as a statement about `one`; empty: it does not differ.
/// Compares only libraries that both have: a library that only one has was preloaded, or loaded by
/// its nodes.
/// @param whose the group that runs `other`
std::string difference(const program_build& one, const program_build& other, const std::string& whose);

}  // namespace weir::cluster
