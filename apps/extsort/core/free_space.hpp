// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace extsort {

/// Bytes that are free for all users on the file system that has this file, as far as it tells.
std::uint64_t room_on_file_system_of(const file& in) noexcept;

/// A file system has less room than is needed: says how much is needed where, how much there is,
/// and what to do.
class not_enough_space : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is going to be written, before any of it is.
struct space_needed {
  const file* output = nullptr;
  std::uint64_t output_bytes = 0;
  std::uint64_t run_bytes = 0;
};

/// Sees to it that there is room for the output, and for runs in all directories for them together:
/// as far as file systems tell, not for quotas, and not for what others write meanwhile.
/// @param directories a file in each of them
/// @return how many bytes of runs there is room for in each; directories of one file system share
/// its room out evenly
/// @throws not_enough_space
std::vector<std::uint64_t> share_of_room(const space_needed& needed, std::span<const file* const> directories);

/// That there is room for a file. @param what_to_do for the message @throws not_enough_space
void expect_room(const file& in, std::uint64_t bytes, const char* what_to_do);

}  // namespace extsort
