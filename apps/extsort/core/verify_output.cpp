// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "verify_output.hpp"

#include "check_file.hpp"
#include "chunk_reader.hpp"
#include "peers.hpp"
#include "support/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace extsort {
namespace {

std::uint64_t sum_of_all(const sort_means& with, std::uint64_t own) {
  return with.others ? with.others->sum_of_all(own) : own;
}

// Returns the number of a group whose part of the output begins too early. By all groups.
std::optional<std::size_t> overlap(const sort_means& with, const file_contents& own) {
  if (!with.others) return std::nullopt;
  const auto choose = [&](const std::vector<splitters>& each) {
    std::vector<std::pair<std::string, std::string>> borders;
    for (const splitters& of : each) borders.emplace_back(of.all.at(0).record, of.all.at(1).record);
    splitters wrong;
    if (const auto group = first_overlap(borders, with.setup.format, with.setup.is_unique))
      wrong.all = {{*group, 0, ""}};
    return wrong;
  };
  const std::size_t number = with.others->number();
  const splitters wrong = with.others->reduced<splitters>(
      [&] {
        return splitters{0, {{number, 0, own.first}, {number, 0, own.last}}};
      },
      choose);
  if (wrong.all.empty()) return std::nullopt;
  return static_cast<std::size_t>(wrong.all.front().group);
}

// @return the error found; empty: none
std::string complaint(sort_means& with) {
  const sort_setup& setup = with.setup;
  const sort_output& output = *with.output;
  const sort_summary& done = with.summary;
  const std::size_t of_border = with.others ? setup.memory / 32 / with.others->count() : 0;
  const file_contents found =
      check_file(output.whole_pages(), with.output_begin, with.output_begin + done.bytes, setup.format, with.by,
                 *with.memory, with.reading, reading_on::no, with.longest, of_border);
  if (found.first_disorder)
    return fmt::format("the record at byte {} should be before the one in front of it", *found.first_disorder);
  if (setup.is_unique && found.first_repetition)
    return fmt::format("the record at byte {} has the key of the one in front of it", *found.first_repetition);
  if (found.records != done.records || found.bytes != done.bytes)
    return fmt::format("it has {} records in {} bytes instead of {} in {}", found.records, found.bytes, done.records,
                       done.bytes);
  if (!setup.is_unique && sum_of_all(with, found.sum) != sum_of_all(with, with.sum))
    return "its records are not those of the input";
  if (const auto group = overlap(with, found))
    return fmt::format("the first record of group {} should be before the last one of those in front of it",
                       with.others->name(*group));
  return "";
}

}  // namespace

void verify_output(sort_means& with) {
  with.progress.is_verifying = true;
  const sort_output& output = *with.output;
  if (!output.whole_pages().is_direct()) ::posix_fadvise(output.edges().descriptor(), 0, 0, POSIX_FADV_DONTNEED);
  with.memory->reset();
  std::string wrong;
  try {
    wrong = complaint(with);
  } catch (const bad_record& bad) {
    wrong = bad.what();
  }
  if (wrong.empty()) return;
  throw wrong_output(fmt::format(
      "{}: what was written is wrong, and is dropped: {}; the disk or the memory of this machine may be faulty",
      weir::support::quoted_name(with.setup.output), wrong));
}

}  // namespace extsort
