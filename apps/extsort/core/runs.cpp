// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "runs.hpp"

#include "support/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>

namespace extsort {
namespace {

file make_temporary(const std::string& directory, bool direct) {
  try {
    return open_file(directory, O_RDWR | O_TMPFILE, direct, "make a temporary file in");
  } catch (const std::system_error& error) {
    // Some file systems do not support files without a name.
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

// Releases space in a file. On failure the space is released when the file is closed.
bool make_hole(const file& in, std::uint64_t begin, std::uint64_t size) noexcept {
  return ::fallocate(in.descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
                     static_cast<off_t>(size)) == 0;
}

}  // namespace

record_counts counts_of(std::span<const run> all, std::size_t in_front) {
  record_counts made;
  for (const run& each : all) {
    made.records += each.records;
    made.bytes += each.size - in_front * each.records;
    made.longest = std::max(made.longest, each.longest);
  }
  return made;
}

damaged_run::damaged_run(const run& which)
    : std::runtime_error(fmt::format(
          "{}: what was written there is not what is read now; the disk or the memory of this machine may be faulty",
          weir::support::quoted_name(which.in->name()))) {}

temporary_space::temporary_space(const std::vector<std::string>& directories, std::size_t lanes, bool direct)
    : is_direct_(direct), lanes_(lanes), next_(lanes), directories_(directories.size()) {
  constexpr std::size_t most_files = 256;  // the number of open files is limited
  const std::size_t of_each = std::clamp<std::size_t>(most_files / lanes, 1, directories.size());
  for (std::size_t i = 0; i != lanes * of_each; ++i) {
    const std::size_t number = (i / of_each + i % of_each) % directories.size();
    files_.push_back({make_temporary(directories[number], direct), 0, number});
  }
}

void temporary_space::expect_room(std::uint64_t run_bytes, std::uint64_t one_run, const file& output,
                                  std::uint64_t output_bytes) {
  std::vector<const file*> in(directories_.size());
  for (const one& each : files_) in[each.directory] = &each.in;
  std::vector<const file*> used;  // there may be fewer lanes than directories
  std::ranges::copy_if(in, std::back_inserter(used), [](const file* each) { return each != nullptr; });
  const auto rooms = share_of_room({.output = &output, .output_bytes = output_bytes, .run_bytes = run_bytes}, used);
  auto room = rooms.begin();
  for (std::size_t i = 0; i != in.size(); ++i) {
    directories_[i].room = in[i] == nullptr ? 0 : *room++;
    directories_[i].taken = 0;
  }
  one_run_ = one_run;
}

temporary_space::place temporary_space::begin(std::size_t lane) {
  const std::size_t of_each = files_.size() / lanes_;
  const std::size_t first = next_[lane]++;
  std::size_t number = lane * of_each + first % of_each;
  for (std::size_t i = 0; i != of_each; ++i) {
    const std::size_t other = lane * of_each + (first + i) % of_each;
    const directory& in = directories_[files_[other].directory];
    const std::uint64_t taken = in.taken.load(std::memory_order_relaxed);
    if (in.room >= one_run_ && taken <= in.room - one_run_) {
      number = other;
      break;
    }
  }
  // If none has room, other runs have taken it, or it is left in pieces: the write will fail if so.
  one& chosen = files_[number];
  directories_[chosen.directory].taken.fetch_add(one_run_, std::memory_order_relaxed);
  return {&chosen.in, chosen.end, number};
}

void temporary_space::end(const place& of, std::uint64_t size) noexcept {
  files_[of.number].end = of.begin + rounded_up(size);
  directories_[files_[of.number].directory].taken.fetch_add(rounded_up(size) - one_run_, std::memory_order_relaxed);
}

file temporary_space::another() const {
  const auto roomiest =
      std::ranges::max_element(files_, {}, [](const one& each) { return room_on_file_system_of(each.in); });
  return make_temporary(roomiest->in.name(), is_direct_);
}

bool temporary_space::is_in_memory() const noexcept {
  return std::ranges::all_of(files_, [](const one& each) { return extsort::is_in_memory(each.in.descriptor()); });
}

void temporary_space::give_back(const run& read) noexcept { make_hole(*read.in, read.begin, rounded_up(read.stored)); }

void temporary_space::give_back(const run& read, std::uint64_t begin, std::uint64_t end) noexcept {
  const std::uint64_t unit = read.unit(), first = (begin + unit - 1) / unit;
  const std::uint64_t last = (end == read.size ? end + unit - 1 : end) / unit;
  const auto stored_at = [&](std::uint64_t number) {
    return read.frame == 0 ? number * unit : read.frames.begin_of(static_cast<std::size_t>(number));
  };
  if (first >= last) return;
  const std::uint64_t from = rounded_up(stored_at(first));
  const std::uint64_t to = end == read.size ? rounded_up(read.stored) : rounded_down(stored_at(last));
  if (from < to) make_hole(*read.in, read.begin + from, to - from);
}

bool temporary_space::is_used_again() const noexcept {
  const auto number_of = [](const one& each) {
    struct stat about {};
    return ::fstat(each.in.descriptor(), &about) == 0 ? about.st_dev : 0;
  };
  return std::ranges::all_of(files_, [&](const one& each) {
    return number_of(each) == number_of(files_.front()) && make_hole(each.in, each.end, page);
  });
}

void temporary_space::clear(std::size_t number) noexcept {
  one& of = files_[number];
  make_hole(of.in, 0, of.end);
  of.end = 0;
}

}  // namespace extsort
