// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "shared_reading.hpp"

#include <weir/run/fork_join.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

namespace filesearch {
namespace {

constexpr std::size_t npos = std::string_view::npos;
// So much stays in a core's cache between reading and searching.
constexpr std::size_t slice_bytes = std::size_t{256} * 1024;
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

shared_reading::part shared_reading::read(int file, std::uint64_t offset, char* text, std::size_t fresh,
                                          std::size_t bytes) {
  std::vector<slice> slices((bytes + slice_bytes - 1) / slice_bytes);
  weir::fork_join(slices.size(), [&](std::size_t piece, std::size_t worker) {
    const std::size_t begin = piece * slice_bytes;
    slices[piece] =
        read_slice(file, offset + begin, text, fresh + begin, std::min(slice_bytes, bytes - begin), matcher_of(worker));
  });
  part all;
  std::vector<known_lines::region> found;
  bool has_nul = false;
  for (slice& one : slices) {
    all.bytes += one.bytes;
    all.error = one.error;
    has_nul = has_nul || one.has_nul;
    found.push_back(std::move(one.found));
    if (all.bytes != std::min(found.size() * slice_bytes, bytes)) break;
  }
  if (!has_nul) all.known = known_lines(std::move(found));
  return all;
}

shared_reading::slice shared_reading::read_slice(int file, std::uint64_t offset, char* text, std::size_t begin,
                                                 std::size_t bytes, matcher& matches) const {
  slice made;
  while (made.bytes != bytes) {
    const ssize_t got =
        ::pread(file, text + begin + made.bytes, bytes - made.bytes, static_cast<off_t>(offset + made.bytes));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) made.error = errno;
    if (got <= 0) break;
    made.bytes += static_cast<std::size_t>(got);
  }
  if (what_.as.nul_ends) exchange_line_ends(text + begin, made.bytes);
  const std::string_view all(text + begin, made.bytes);
  made.has_nul = looks_for_nul_ && all.find('\0') != npos;
  const std::size_t first_end = all.find('\n');
  if (made.has_nul || first_end == npos) {
    made.found.from = made.found.to = begin;
    return made;
  }
  // The first line may have begun in the slice before, and the last one may go on in the next.
  const std::size_t from = first_end + 1;
  const std::string_view lines = all.substr(0, all.rfind('\n') + 1);
  made.found.from = begin + from;
  made.found.to = begin + lines.size();
  for (std::size_t at = from; at < lines.size();) {
    const std::size_t line = matches.next_line(lines, at);
    if (line == npos) break;
    made.found.lines.push_back(begin + line);
    at = lines.find('\n', line) + 1;
  }
  return made;
}

}  // namespace filesearch
