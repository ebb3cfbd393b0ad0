// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "free_space.hpp"

#include "support/output.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace extsort {
namespace {

// Room on a file system that does not report it; sums of a few such values do not overflow.
constexpr std::uint64_t unknown_room = std::numeric_limits<std::uint64_t>::max() / 1024;

}  // namespace

std::uint64_t room_on_file_system_of(const file& in) noexcept {
  struct statvfs about {};
  if (::fstatvfs(in.descriptor(), &about) != 0 || about.f_blocks == 0) return unknown_room;
  const std::uint64_t unit = about.f_frsize;
  return std::min(unknown_room / unit, static_cast<std::uint64_t>(about.f_bavail)) * unit;
}

namespace {

dev_t file_system_of(const file& in) {
  struct stat about {};
  return ::fstat(in.descriptor(), &about) == 0 ? about.st_dev : 0;
}

}  // namespace

void expect_room(const file& in, std::uint64_t bytes, const char* what_to_do) {
  const std::uint64_t room = room_on_file_system_of(in);
  if (bytes <= room) return;
  throw not_enough_space(fmt::format("{} needs {} bytes, and its file system has {} left; {}",
                                     weir::support::quoted_name(in.name()), bytes, room, what_to_do));
}

std::vector<std::uint64_t> share_of_room(const space_needed& needed, std::span<const file* const> directories) {
  expect_room(*needed.output, needed.output_bytes, "make room there, or choose another output");
  const dev_t of_output = file_system_of(*needed.output);
  struct file_system {
    std::uint64_t room = 0;
    std::uint64_t directories = 0;
  };
  std::map<dev_t, file_system> all;
  std::string names;
  for (const file* const each : directories) {
    file_system& in = all[file_system_of(*each)];
    ++in.directories;
    in.room = room_on_file_system_of(*each);
    names += (names.empty() ? "" : ", ") + weir::support::quoted_name(each->name());
  }
  const auto shared = all.find(of_output);
  const bool is_shared = shared != all.end() && needed.output_bytes != 0;
  if (is_shared) shared->second.room -= std::min(shared->second.room, rounded_up(needed.output_bytes));
  std::uint64_t room = 0;
  for (const auto& [number, each] : all) room += each.room;
  if (needed.run_bytes > room) {
    throw not_enough_space(fmt::format(
        "runs need {} bytes, and there are {} left in {}{}; name directories with more room by -T", needed.run_bytes,
        room, names, is_shared ? fmt::format(" beside the {} of the output", needed.output_bytes) : ""));
  }
  std::vector<std::uint64_t> made;
  for (const file* const each : directories) {
    const file_system& in = all[file_system_of(*each)];
    made.push_back(in.room / in.directories);
  }
  return made;
}

}  // namespace extsort
