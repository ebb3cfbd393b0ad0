// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "shared_reading.hpp"

#include <weir/run/fork_join.hpp>

#include "file_search.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string_view>
#include <utility>

namespace filesearch {
namespace {

constexpr std::size_t npos = std::string_view::npos;
// Number of bytes that stay in a core's cache between reading and searching.
constexpr std::size_t slice_bytes = 2 * file_search::block_bytes;
constexpr std::size_t slices_for_each = 8;
constexpr std::size_t most_slices = 128;

}  // namespace

bool shared_reading::possible() { return weir::concurrency() > 1; }

std::size_t shared_reading::part_bytes() {
  return std::min(weir::concurrency() * slices_for_each, most_slices) * slice_bytes;
}

void shared_reading::begin_file() {
  matchers_.resize(weir::concurrency());
  for (const auto& one : matchers_) {
    if (one) one->begin_file();
  }
}

matcher& shared_reading::matcher_of(std::size_t worker) {
  auto& one = matchers_[worker];
  if (!one) one = std::make_unique<matcher>(what_);
  return *one;
}

void shared_reading::read(int file, std::uint64_t offset, char* text, std::size_t bytes, const taker& take) {
  const std::size_t count = (bytes + slice_bytes - 1) / slice_bytes;
  std::vector<slice> slices(count);
  std::vector<std::atomic<bool>> ready(count);
  std::atomic<bool> enough{false};
  std::size_t taken = 0;
  const auto take_ready = [&] {
    // Acquire; pairs with the release behind read_slice().
    while (taken != count && !enough.load(std::memory_order_relaxed) && ready[taken].load(std::memory_order_acquire)) {
      const bool is_short = slices[taken].is_short;
      const bool more = take(std::move(slices[taken++]));
      if (!more || is_short) enough.store(true, std::memory_order_relaxed);
    }
  };
  weir::fork_join(count, [&](std::size_t piece, std::size_t worker) {
    if (worker == 0) take_ready();
    if (enough.load(std::memory_order_relaxed)) return;
    const std::size_t begin = piece * slice_bytes;
    slices[piece] =
        read_slice(file, offset + begin, text + begin, std::min(slice_bytes, bytes - begin), matcher_of(worker));
    ready[piece].store(true, std::memory_order_release);
  });
  take_ready();
}

shared_reading::slice shared_reading::read_slice(int file, std::uint64_t offset, char* text, std::size_t bytes,
                                                 matcher& matches) const {
  slice made;
  while (made.bytes != bytes) {
    const ssize_t got = ::pread(file, text + made.bytes, bytes - made.bytes, static_cast<off_t>(offset + made.bytes));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) made.error = errno;
    if (got <= 0) break;
    made.bytes += static_cast<std::size_t>(got);
  }
  made.is_short = made.bytes != bytes;
  if (what_.as.nul_ends) exchange_line_ends(text, made.bytes);
  const std::string_view all(text, made.bytes);
  if (looks_for_nul_ && all.find('\0') != npos) return made;
  // The first line may have begun in the slice before, and the last one may continue in the next.
  const std::size_t from = std::min(all.find('\n'), all.size() - 1) + 1;
  const std::string_view lines = all.substr(0, all.rfind('\n') + 1);
  std::vector<std::size_t> found;
  for (std::size_t at = from; at < lines.size();) {
    const std::size_t line = matches.next_line(lines, at);
    if (line == npos) break;
    found.push_back(line);
    at = lines.find('\n', line) + 1;
  }
  made.found.emplace(from, std::max(from, lines.size()), std::move(found));
  return made;
}

}  // namespace filesearch
