// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// A file that is copied to other machines.
struct deployed_file {
  std::string from;
  std::string to;  ///< its path in the folder there
  std::uintmax_t size = 0;
  unsigned int mode = 0;  ///< permissions
};

/// What is copied to each other machine for one run.
struct deployment {
  std::vector<deployed_file> files;
  std::string program;  ///< what starts the program in the folder there
};

/// The program (found as a shell does), the configuration (if there is a file) and what else is
/// wanted. A relative path stays what it is in the folder there; a file whose path is absolute, or
/// leads out of this folder, is there by its name alone. What is wrong is added to `problems`, a
/// line each.
deployment deployment_of(const std::string& program, const std::string& configuration,
                         const std::vector<std::string>& others, std::vector<std::string>& problems);
