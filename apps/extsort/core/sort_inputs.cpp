// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "sort_inputs.hpp"

#include "header.hpp"
#include "support/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace extsort {

sort_inputs::sort_inputs(const sort_setup& setup) : rules_(rules_of_input(setup.format)) {
  all_.emplace_back(setup.input, setup.direct);
  for (const std::string& each : setup.inputs_after) all_.emplace_back(each, setup.direct);
}

bool sort_inputs::are_in_memory() const noexcept {
  return std::ranges::all_of(all_, [](const input_file& each) { return is_in_memory(each.contents().descriptor()); });
}

std::uint64_t sort_inputs::spool(sort_resources& with) {
  std::uint64_t size = 0;
  for (input_file& each : all_) {
    with.memory.reset();
    if (each.is_stream()) each.spool(with.space, with.reading, with.memory.take(with.memory.left()), with.stop);
    size += each.size();
  }
  return size;
}

std::string sort_inputs::take_header(std::uint64_t lines) {
  if (lines == 0) return {};
  const char end = static_cast<char>(rules_->end().value());
  std::string header;
  for (input_file& each : all_) {
    std::string own = read_header(each.contents(), each.size(), lines, end);
    each.set_begin(own.size());
    if (!own.empty() && own.back() != end) own += end;
    if (header.empty()) header = own;
    if (!own.empty() && own != header)
      throw std::runtime_error(fmt::format("{} has another header than the inputs in front of it",
                                           weir::support::quoted_name(each.contents().name())));
  }
  return header;
}

void sort_inputs::release() const noexcept {
  for (const input_file& each : all_) each.release();
}

inputs_reader::inputs_reader(const sort_inputs& of, disk_queue& disk, std::uint64_t longest) {
  for (const input_file& each : of.all())
    readers_.emplace_back(disk, each.contents(), of.rules(), each.begin(), each.size(), longest);
}

std::optional<chunk> inputs_reader::next(std::span<std::byte> memory) {
  while (!readers_.empty() && readers_.front().is_at_end()) readers_.pop_front();
  if (readers_.empty()) return std::nullopt;
  chunk made = readers_.front().next(memory);
  made.number = number_++;
  return made;
}

}  // namespace extsort
