// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cells.hpp"

#include <cstdlib>

namespace explore {

const char* name_of(cell_use use) noexcept {
  switch (use) {
    case cell_use::construct: return "construct";
    case cell_use::read: return "read";
    case cell_use::write: return "write";
    case cell_use::take: return "move from";
    case cell_use::destroy: return "destroy";
  }
  return "unknown";
}

void cell_table::reset() noexcept {
  ++generation_;
  alive_ = 0;
  cells_.clear();
}

cell_table::cell& cell_table::find(const void* object) {
  const auto bits = reinterpret_cast<std::uintptr_t>(object);
  std::size_t at = static_cast<std::size_t>((bits >> 2) * 0x9E3779B97F4A7C15ULL >> 52) % buckets;
  while (table_[at].generation == generation_) {
    if (cells_[table_[at].index].address == object) return cells_[table_[at].index];
    at = (at + 1) % buckets;
  }
  if (cells_.size() == buckets / 2) std::abort();  // far more objects than an exploration can handle
  table_[at] = {generation_, static_cast<std::uint32_t>(cells_.size())};
  cells_.push_back({object, state::raw, {}});
  return cells_.back();
}

unsigned cell_table::number_of(const void* object) {
  find(object);
  for (std::size_t i = 0; i != cells_.size(); ++i) {
    if (cells_[i].address == object) return static_cast<unsigned>(i);
  }
  return 0;
}

const char* cell_table::use(memory& in, unsigned thread, const void* object, cell_use how) {
  cell& it = find(object);
  if (how == cell_use::read ? !in.may_read(thread, it.uses) : !in.may_write(thread, it.uses)) {
    return "data race on a non-atomic object";
  }
  switch (how) {
    case cell_use::construct:
      if (it.now != state::raw) return "an object is constructed over a live one";
      it.now = state::alive;
      ++alive_;
      break;
    case cell_use::read:
      if (it.now == state::raw) return "an object is read that is not alive";
      if (it.now == state::taken) return "an object is read after it was moved from";
      break;
    case cell_use::write:
      if (it.now == state::raw) return "an object is assigned to that is not alive";
      it.now = state::alive;
      break;
    case cell_use::take:
      if (it.now == state::raw) return "an object is moved from that is not alive";
      if (it.now == state::taken) return "an object is moved from twice";
      it.now = state::taken;
      break;
    case cell_use::destroy:
      if (it.now == state::raw) return "an object is destroyed that is not alive";
      it.now = state::raw;
      --alive_;
      break;
  }
  return nullptr;
}

const char* cell_table::free(memory& in, unsigned thread, const void* block, std::size_t size) {
  const auto first = reinterpret_cast<std::uintptr_t>(block);
  for (cell& it : cells_) {
    const auto at = reinterpret_cast<std::uintptr_t>(it.address);
    if (at < first || at >= first + size) continue;
    if (it.now != state::raw) return "memory is freed in which an object is alive";
    if (!in.may_write(thread, it.uses)) return "data race: memory is freed while an object in it is used";
  }
  return nullptr;
}

}  // namespace explore
