// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "runs.hpp"

#include "support/output.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

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

temporary_space::temporary_space(const std::vector<std::string>& directories, bool direct) {
  for (const std::string& each : directories) {
    files_.emplace_back();
    files_.back().in = make_temporary(each, direct);
  }
}

temporary_space::place temporary_space::take(std::uint64_t size) {
  one& chosen = files_[next_.fetch_add(1, std::memory_order_relaxed) % files_.size()];
  return {&chosen.in, chosen.end.fetch_add(rounded_up(size), std::memory_order_relaxed)};
}

void temporary_space::give_back(const run& read) noexcept {
  ::fallocate(read.in->descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(read.begin),
              static_cast<off_t>(rounded_up(read.size)));
}

}  // namespace extsort
