// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace extsort {

/// Returns the bytes that are free for all users on the file system of this file, as it reports.
std::uint64_t room_on_file_system_of(const file& in) noexcept;

/// A file system has too little room. The text has the needed and the available room, their place,
/// and advice.
class not_enough_space : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Sizes of the files to be written.
struct space_needed {
  const file* output = nullptr;
  std::uint64_t output_bytes = 0;
  std::uint64_t run_bytes = 0;
};

/// Ensures that there is room for the output, and for runs in all directories for them together, as
/// far as file systems report it; quotas and other writers are not considered.
/// @param directories a file in each of them
/// @return the room for runs in each, in bytes; directories of one file system share its room
/// evenly
/// @throws not_enough_space
std::vector<std::uint64_t> share_of_room(const space_needed& needed, std::span<const file* const> directories);

/// Ensures that there is room for a file. @param what_to_do for the message
/// @throws not_enough_space
void expect_room(const file& in, std::uint64_t bytes, const char* what_to_do);

}  // namespace extsort
