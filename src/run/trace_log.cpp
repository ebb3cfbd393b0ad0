// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/trace_log.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace weir::detail {
namespace {

// Steps of a node less than this apart are joined to one slice.
constexpr trace_slice::time joined_nanoseconds = 1000;
constexpr std::size_t chunk_slices_least = 8;
constexpr std::size_t chunk_slices_most = 128;

// The log to which this thread added a slice last.
thread_local constinit const trace_log* latest = nullptr;

std::size_t slices_of_a_chunk(std::size_t bytes, std::size_t nodes) noexcept {
  return std::clamp(bytes / sizeof(trace_slice) / (2 * nodes), chunk_slices_least, chunk_slices_most);
}

}  // namespace

// There are two chunks for each node, so a node that needs its first chunk finds a filled one if
// there is no empty one.
trace_memory::trace_memory(std::size_t bytes, std::size_t nodes)
    : chunk_slices_(slices_of_a_chunk(bytes, std::max<std::size_t>(nodes, 1))),
      chunks_most_(std::max(bytes / (chunk_slices_ * sizeof(trace_slice)), 2 * nodes)) {}

std::unique_ptr<trace_chunk> trace_memory::exchange(std::unique_ptr<trace_chunk> filled, node_id node) noexcept {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<trace_chunk> next;
  try {
    if (filled != nullptr) filled_.push_back(std::move(filled));
    if (made_ != chunks_most_) {
      auto made = std::make_unique<trace_chunk>();
      made->slices.reserve(chunk_slices_);
      next = std::move(made);
      ++made_;
    }
  } catch (const std::bad_alloc&) {
    next = std::move(filled);  // null if it has been stored
  }
  if (next == nullptr && !filled_.empty()) {
    next = std::move(filled_.front());
    filled_.pop_front();
  }
  if (next == nullptr) {
    ++dropped_;
    return nullptr;
  }
  if (!next->slices.empty()) {
    dropped_ += next->slices.size();
    dropped_until_ = std::max(dropped_until_, next->slices.back().end);
    next->slices.clear();
  }
  next->node = node;
  return next;
}

void trace_memory::add(std::unique_ptr<trace_chunk> last) {
  const std::lock_guard lock(mutex_);
  filled_.push_back(std::move(last));
}

void trace_log::add(const trace_slice& what) noexcept {
  until_ = what.end;
  if (latest == this && chunk_ != nullptr) {
    trace_slice& last = chunk_->slices.back();
    if (last.thread == what.thread && last.core == what.core && last.in_place == what.in_place &&
        what.begin - last.end < joined_nanoseconds) {
      last.end = what.end;
      last.how = what.how;
      last.toward = what.toward;
      last.items += what.items;
      last.steps += what.steps;
      return;
    }
  }
  latest = this;
  if (chunk_ == nullptr || chunk_->slices.size() == chunk_->slices.capacity()) {
    chunk_ = memory_.exchange(std::move(chunk_), node_);
    if (chunk_ == nullptr) return;
  }
  chunk_->slices.push_back(what);
}

void trace_log::waits_for(const channel* toward, bool one_of_many) noexcept {
  if (chunk_ == nullptr) return;
  chunk_->slices.back().toward = toward;
  chunk_->slices.back().one_of_many = one_of_many;
}

void trace_log::lengthen(trace_slice::time end) noexcept {
  until_ = end;
  if (chunk_ != nullptr) chunk_->slices.back().end = end;
}

void trace_log::hand_in() {
  if (chunk_ != nullptr) memory_.add(std::move(chunk_));
}

}  // namespace weir::detail
