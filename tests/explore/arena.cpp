// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "arena.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace explore::arena {

bool active = false;
free_hook on_free = nullptr;

namespace {

constexpr std::size_t capacity = std::size_t{8} << 20;

struct header {
  std::size_t size;
  std::size_t live;  // 1 until freed
};
static_assert(sizeof(header) == 16);

alignas(4096) std::byte memory[capacity];
std::size_t used = 0;
std::size_t live = 0;
bool twice = false;

bool owns(const void* block) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(block);
  const auto first = reinterpret_cast<std::uintptr_t>(memory);
  return at >= first && at < first + capacity;
}

void* allocate(std::size_t size, std::size_t alignment) {
  if (!active) {
    if (alignment <= alignof(std::max_align_t)) {
      if (void* block = std::malloc(size == 0 ? 1 : size)) return block;
    } else if (void* block = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)) {
      return block;
    }
    throw std::bad_alloc{};
  }
  if (alignment < sizeof(header)) alignment = sizeof(header);
  const std::size_t at = (used + sizeof(header) + alignment - 1) / alignment * alignment;
  if (at + size > capacity) {
    std::fputs("explore: one execution allocates more than the arena holds\n", stderr);
    std::abort();
  }
  ::new (static_cast<void*>(memory + at - sizeof(header))) header{size, 1};
  used = at + size;
  ++live;
  return memory + at;
}

void release(void* block) noexcept {
  if (block == nullptr) return;
  if (!owns(block)) {
    std::free(block);
    return;
  }
  auto* head = reinterpret_cast<header*>(static_cast<std::byte*>(block) - sizeof(header));
  if (head->live == 0) {
    twice = true;
    return;
  }
  head->live = 0;
  --live;
  if (active && on_free != nullptr) on_free(block, head->size);
}

}  // namespace

void reset() noexcept {
  used = 0;
  live = 0;
  twice = false;
}

std::size_t live_blocks() noexcept { return live; }
bool freed_twice() noexcept { return twice; }

}  // namespace explore::arena

// NOLINTBEGIN(misc-new-delete-overloads): the array and nothrow forms call these
void* operator new(std::size_t size) { return explore::arena::allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return explore::arena::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { explore::arena::release(block); }
void operator delete(void* block, std::size_t) noexcept { explore::arena::release(block); }
void operator delete(void* block, std::align_val_t) noexcept { explore::arena::release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { explore::arena::release(block); }
// NOLINTEND(misc-new-delete-overloads)
