// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "record_writer.hpp"

#include "support/output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace extsort {

record_writer::record_writer(disk_queue& disk, std::span<std::byte> buffer, const file& to, const file* edges,
                             std::uint64_t begin)
    : disk_(&disk),
      to_(&to),
      edges_(edges),
      begin_(begin),
      place_(rounded_down(begin)),
      buffers_{buffer.first(buffer.size() / 2), buffer.subspan(buffer.size() / 2)},
      at_(buffers_[0].data() + (begin - place_)),
      end_(buffers_[0].data() + buffers_[0].size()) {}

record_writer::record_writer(disk_queue& disk, std::span<std::byte> buffer, record_sink& to)
    : disk_(&disk),
      sink_(&to),
      to_(nullptr),
      edges_(nullptr),
      begin_(0),
      place_(0),
      buffers_{buffer.first(buffer.size() / 2), buffer.subspan(buffer.size() / 2)},
      at_(buffers_[0].data()),
      end_(buffers_[0].data() + buffers_[0].size()) {}

record_writer::~record_writer() {
  for (transfer& each : transfers_) disk_->abandon(each);
}

void record_writer::add_across(const std::byte* from, std::size_t size) {
  while (true) {
    const std::size_t part = std::min(size, static_cast<std::size_t>(end_ - at_));
    std::memcpy(at_, from, part);
    at_ += part;
    from += part;
    size -= part;
    if (at_ == end_) send(buffers_[current_].size());
    if (size == 0) return;
  }
}

// Writes the first `size` bytes of the current buffer, in whole pages except for the first page of
// all; then the other buffer is filled.
void record_writer::send(std::size_t size) {
  const std::byte* from = buffers_[current_].data();
  std::uint64_t place = place_;
  std::size_t left = size;
  if (place_ < begin_) {  // the bytes before it belong to others
    const std::size_t before = begin_ - place_;
    const std::size_t edge = std::min(size, page);
    write_edge(from + before, begin_, edge - before);
    from += edge;
    place += edge;
    left -= edge;
  }
  if (sink_ != nullptr) {
    sink_->add({from, left});
  } else {
    disk_->write(transfers_[current_], *to_, place, from, left);
  }
  place_ += size;
  current_ = 1 - current_;
  if (transfers_[current_].is_under_way()) disk_->finish(transfers_[current_]);
  at_ = buffers_[current_].data();
  end_ = at_ + buffers_[current_].size();
}

void record_writer::write_edge(const std::byte* from, std::uint64_t place, std::size_t size) {
  const file& in = to_->is_direct() ? *edges_ : *to_;
  while (size != 0) {
    const ::ssize_t moved = ::pwrite(in.descriptor(), from, size, static_cast<off_t>(place));
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0)
      throw std::system_error(moved < 0 ? errno : EIO, std::generic_category(),
                              "can't write " + weir::support::quoted_name(in.name()));
    from += moved;
    place += static_cast<std::uint64_t>(moved);
    size -= static_cast<std::size_t>(moved);
  }
}

void record_writer::finish() {
  const auto size = static_cast<std::size_t>(at_ - buffers_[current_].data());
  if (sink_ != nullptr) {
    send(size);
  } else if (!to_->is_direct()) {
    const std::size_t before = place_ < begin_ ? static_cast<std::size_t>(begin_ - place_) : 0;
    write_edge(buffers_[current_].data() + before, place_ + before, size - before);
  } else if (edges_ == nullptr) {  // bytes after the end do not matter
    std::memset(at_, 0, static_cast<std::size_t>(rounded_up(size) - size));
    send(rounded_up(size));
  } else {
    const std::size_t whole = rounded_down(size);
    const std::size_t before = place_ < begin_ ? static_cast<std::size_t>(begin_ - place_) : 0;
    const std::byte* const rest = buffers_[current_].data() + whole;
    const std::uint64_t place = place_ + whole;
    if (whole != 0) send(whole);
    const std::size_t skipped = whole == 0 ? before : 0;
    write_edge(rest + skipped, place + skipped, size - whole - skipped);
  }
  for (transfer& each : transfers_) {
    if (each.is_under_way()) disk_->finish(each);
  }
}

}  // namespace extsort
