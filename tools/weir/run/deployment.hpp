// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// A file that is copied to other machines.
struct deployed_file {
  std::string from;
  std::string to;  ///< its path, relative to the folder on the other machine
  std::uintmax_t size = 0;
  unsigned int mode = 0;  ///< permissions
};

/// The files that are copied to each other machine for one run.
struct deployment {
  std::vector<deployed_file> files;
  std::string program;  ///< the path that starts the program in the folder there
};

/// Returns the deployment of the program (found as a shell does), the configuration (if there is a
/// file) and the other files. A relative path stays the same in the folder on the other machine. A
/// file whose path is absolute, or leads out of this folder, is stored there under its bare name.
/// Problems are added to `problems`, a line each.
deployment deployment_of(const std::string& program, const std::string& configuration,
                         const std::vector<std::string>& others, std::vector<std::string>& problems);
