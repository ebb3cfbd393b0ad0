// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "verify_output.hpp"

#include "check_file.hpp"
#include "chunk_reader.hpp"
#include "peers.hpp"
#include "sort_output.hpp"
#include "support/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace extsort {
namespace {

// Returns the number of a group whose part of the output begins too early. By all groups.
std::optional<std::size_t> overlap(const sort_setup& setup, const peers& others, const file_contents& own) {
  const auto choose = [&](const std::vector<splitters>& each) {
    std::vector<std::pair<std::string, std::string>> borders;
    for (const splitters& of : each) borders.emplace_back(of.all.at(0).record, of.all.at(1).record);
    splitters wrong;
    if (const auto group = first_overlap(borders, setup.format, setup.is_unique)) wrong.all = {{*group, 0, ""}};
    return wrong;
  };
  const splitters wrong = others.reduced<splitters>(
      [&] {
        return splitters{0, {{others.number(), 0, own.first}, {others.number(), 0, own.last}}};
      },
      choose);
  if (wrong.all.empty()) return std::nullopt;
  return static_cast<std::size_t>(wrong.all.front().group);
}

// @return the error found; empty: none
std::string complaint(const sort_setup& setup, sort_resources& with, const sort_output& output,
                      const output_part& written, std::uint64_t sum, const peers* others) {
  const std::size_t of_border = others != nullptr ? setup.memory / 32 / others->count() : 0;
  const record_counts& expected = written.of;
  const file_contents found =
      check_file(output.whole_pages(), written.begin, written.begin + expected.bytes, setup.format, with.by,
                 with.memory, with.reading, reading_on::no, expected.longest, of_border);
  if (found.first_disorder)
    return fmt::format("the record at byte {} should be before the one in front of it", *found.first_disorder);
  if (setup.is_unique && found.first_repetition)
    return fmt::format("the record at byte {} has the key of the one in front of it", *found.first_repetition);
  if (found.records != expected.records || found.bytes != expected.bytes)
    return fmt::format("it has {} records in {} bytes instead of {} in {}", found.records, found.bytes,
                       expected.records, expected.bytes);
  const auto of_all = [&](std::uint64_t own) { return others != nullptr ? others->sum_of_all(own) : own; };
  if (!setup.is_unique && of_all(found.sum) != of_all(sum)) return "its records are not those of the input";
  if (others == nullptr) return "";
  if (const auto group = overlap(setup, *others, found))
    return fmt::format("the first record of group {} should be before the last one of those in front of it",
                       others->name(*group));
  return "";
}

}  // namespace

void verify_output(const sort_setup& setup, sort_resources& with, const sort_output& output, const output_part& written,
                   std::uint64_t sum, const peers* others) {
  with.progress.is_verifying = true;
  if (!output.whole_pages().is_direct()) ::posix_fadvise(output.edges().descriptor(), 0, 0, POSIX_FADV_DONTNEED);
  with.memory.reset();
  std::string wrong;
  try {
    wrong = complaint(setup, with, output, written, sum, others);
  } catch (const bad_record& bad) {
    wrong = bad.what();
  }
  if (wrong.empty()) return;
  throw wrong_output(fmt::format(
      "{}: what was written is wrong, and is dropped: {}; the disk or the memory of this machine may be faulty",
      weir::support::quoted_name(setup.output), wrong));
}

}  // namespace extsort
