// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "parted_sort.hpp"

#include <stdexcept>

namespace extsort {

chunk received_chunk(const input_rules& rules, std::uint64_t number, std::span<std::byte> memory, std::size_t bytes) {
  chunk made{.number = number, .memory = memory, .begin = memory.data(), .known = {}, .words = {}};
  if (!rules.add_records(made.known, made.begin, bytes, memory.size()))
    throw std::logic_error("a chunk has no room for its words, and for what is read in front of them");
  if (made.known.bytes != bytes) throw std::logic_error("a chunk ends within a record");
  made.words = words_behind(memory, made.known.records);
  return made;
}

}  // namespace extsort
