// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "runs.hpp"

#include "support/output.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace extsort {
namespace {

file make_temporary(const std::string& directory, bool direct) {
  try {
    return open_file(directory, O_RDWR | O_TMPFILE, direct, "make a temporary file in");
  } catch (const std::system_error& error) {
    // Some file systems have no files without a name.
    if (error.code().value() != EOPNOTSUPP && error.code().value() != EISDIR && error.code().value() != EINVAL) throw;
  }
  std::string name = directory + "/extsort-XXXXXX";
  const int made = ::mkostemp(name.data(), O_CLOEXEC);
  if (made < 0)
    throw std::system_error(errno, std::generic_category(),
                            "can't make a temporary file in " + weir::support::quoted_name(directory));
  ::unlink(name.c_str());
  const bool is_direct = direct && !is_in_memory(made) && ::fcntl(made, F_SETFL, O_DIRECT) == 0;
  return {made, directory, is_direct};
}

}  // namespace

temporary_space::temporary_space(const std::vector<std::string>& directories, std::size_t lanes, bool direct)
    : lanes_(lanes), next_(lanes) {
  constexpr std::size_t most_files = 256;  // many may not be open at once
  const std::size_t of_each = std::clamp<std::size_t>(most_files / lanes, 1, directories.size());
  for (std::size_t i = 0; i != lanes * of_each; ++i)
    files_.push_back({make_temporary(directories[(i / of_each + i % of_each) % directories.size()], direct), 0});
}

temporary_space::place temporary_space::begin(std::size_t lane) {
  const std::size_t of_each = files_.size() / lanes_;
  const std::size_t number = lane * of_each + next_[lane]++ % of_each;
  return {&files_[number].in, files_[number].end, number};
}

void temporary_space::end(const place& of, std::uint64_t size) noexcept {
  files_[of.number].end = of.begin + rounded_up(size);
}

void temporary_space::give_back(const run& read) noexcept {
  ::fallocate(read.in->descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(read.begin),
              static_cast<off_t>(rounded_up(read.stored)));
}

}  // namespace extsort
