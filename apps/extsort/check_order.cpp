// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "check_order.hpp"

#include <weir/run/run.hpp>

#include "core/check_file.hpp"
#include "core/chunk_reader.hpp"
#include "core/header.hpp"
#include "core/process_memory.hpp"
#include "core/record_rules.hpp"
#include "core/runs.hpp"
#include "core/streams.hpp"
#include "support/command_line.hpp"
#include "support/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace extsort {
namespace {

// Most bytes of a line that are shown.
constexpr std::size_t most_shown = std::size_t{4} << 10;

struct line_of_file {
  std::uint64_t number = 1;
  std::string text;
};

// Reads the line that begins at that place. @param buffer whole pages
line_of_file line_at(const file& from, std::uint64_t place, char end, disk_queue& disk, std::span<std::byte> buffer) {
  line_of_file made;
  for (std::uint64_t at = 0; at <= place + most_shown; at += buffer.size()) {
    transfer reading;
    disk.read(reading, from, at, buffer.data(), buffer.size());
    const std::size_t got = disk.finish(reading);
    const std::string_view bytes(reinterpret_cast<const char*>(buffer.data()), got);
    const std::size_t before = place <= at ? 0 : std::min<std::uint64_t>(place - at, got);
    made.number += static_cast<std::uint64_t>(std::ranges::count(bytes.substr(0, before), end));
    made.text += bytes.substr(before);
    if (got != buffer.size()) break;
  }
  made.text.resize(std::min({made.text.size(), made.text.find(end), most_shown}));
  return made;
}

// Checks the input, with fewer threads if a record needs more memory.
file_contents contents_of(const input_file& input, std::uint64_t begin, const sort_options& chosen, arena& memory,
                          disk_queue& disk) {
  const std::size_t asked = chosen.workers != 0 ? chosen.workers : weir::available_cores();
  const auto look = [&](std::size_t workers) {
    memory.reset();
    return check_file(input.contents(), begin, input.size(), chosen.format, *weir_engine({.workers = workers}), memory,
                      disk, reading_on::no);
  };
  try {
    return look(asked);
  } catch (const record_too_long&) {
    if (asked == 1) throw;
    return look(1);
  }
}

}  // namespace

int check_order(const sort_options& chosen) {
  input_file input(chosen.input, chosen.is_direct);
  arena memory(memory_for_records(chosen.memory, taken_already(), 1));
  disk_queue disk(chosen.by_uring);
  temporary_space space(chosen.temporary, 1, chosen.is_direct);
  if (input.is_stream()) input.spool(space, disk, memory.take(memory.left()), {});
  const auto rules = rules_of_input(chosen.format);
  const char end = static_cast<char>(rules->end().value_or(std::byte{}));
  const std::uint64_t begin = read_header(input.contents(), input.size(), chosen.header_lines, end).size();
  const file_contents found = contents_of(input, begin, chosen, memory, disk);
  std::optional<std::uint64_t> wrong = found.first_disorder;
  if (chosen.is_unique && found.first_repetition)
    wrong = std::min(wrong.value_or(*found.first_repetition), *found.first_repetition);
  if (!wrong) return 0;
  if (chosen.checks == check_kind::quiet) return weir::support::failure;
  if (rules->end()) {
    memory.reset();
    const line_of_file line = line_at(input.contents(), *wrong, end, disk, memory.take(std::size_t{1} << 20));
    weir::support::complain("extsort", fmt::format("{}:{}: disorder: {}", chosen.input, line.number, line.text));
  } else {
    weir::support::complain("extsort", fmt::format("{}: the record at byte {} should be before the one in front of it",
                                                   weir::support::quoted_name(chosen.input), *wrong));
  }
  return weir::support::failure;
}

}  // namespace extsort
