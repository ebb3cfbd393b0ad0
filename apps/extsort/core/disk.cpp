// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "disk.hpp"

#include "support/output.hpp"

#include <fcntl.h>
#include <liburing.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace extsort {

using clock = std::chrono::steady_clock;

file::file(file&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), is_direct_(other.is_direct_), name_(std::move(other.name_)) {}

file& file::operator=(file&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(is_direct_, other.is_direct_);
  std::swap(name_, other.name_);
  return *this;
}

file::~file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool is_in_memory(int descriptor) noexcept {
  struct statfs about {};
  return ::fstatfs(descriptor, &about) == 0 && about.f_type == TMPFS_MAGIC;
}

file open_file(const std::string& name, int flags, bool direct, const char* to_do) {
  constexpr mode_t usual = 0666;
  if (direct) {
    const int made = ::open(name.c_str(), flags | O_DIRECT | O_CLOEXEC, usual);
    if (made >= 0 && !is_in_memory(made)) return {made, name, true};
    if (made >= 0) {
      ::fcntl(made, F_SETFL, ::fcntl(made, F_GETFL) & ~O_DIRECT);
      return {made, name, false};
    }
    if (errno != EINVAL && errno != EOPNOTSUPP)
      throw std::system_error(errno, std::generic_category(),
                              std::string("can't ") + to_do + " " + weir::support::quoted_name(name));
  }
  const int made = ::open(name.c_str(), flags | O_CLOEXEC, usual);
  if (made < 0)
    throw std::system_error(errno, std::generic_category(),
                            std::string("can't ") + to_do + " " + weir::support::quoted_name(name));
  return {made, name, false};
}

struct disk_queue::ring {
  static constexpr unsigned depth = 64;
  io_uring at{};
  bool works = false;

  ring() { works = ::io_uring_queue_init(depth, &at, 0) == 0; }
  ~ring() {
    if (works) ::io_uring_queue_exit(&at);
  }
};

disk_queue::disk_queue(bool by_uring) {
  if (!by_uring) return;
  ring_ = std::make_unique<ring>();
  if (!ring_->works) ring_.reset();  // io_uring is not available in many containers
}

disk_queue::~disk_queue() = default;

void disk_queue::read(transfer& as, const file& from, std::uint64_t place, std::byte* to, std::size_t size) {
  as = transfer{};
  as.of_ = &from;
  as.at_ = to;
  as.place_ = place;
  as.left_ = size;
  begin(as);
}

void disk_queue::write(transfer& as, const file& to, std::uint64_t place, const std::byte* from, std::size_t size) {
  as = transfer{};
  as.of_ = &to;
  as.at_ = const_cast<std::byte*>(from);
  as.place_ = place;
  as.left_ = size;
  as.is_write_ = true;
  begin(as);
}

void disk_queue::begin(transfer& as) {
  if (as.left_ == 0) {
    as.is_complete_ = true;
  } else if (ring_ && as.of_->is_direct()) {
    submit(as);
  } else {
    const auto since = clock::now();
    by_hand(as);
    waited_ += clock::now() - since;
  }
}

void disk_queue::by_hand(transfer& as) noexcept {
  while (as.left_ != 0) {
    const ::ssize_t moved = as.is_write_
                                ? ::pwrite(as.of_->descriptor(), as.at_, as.left_, static_cast<off_t>(as.place_))
                                : ::pread(as.of_->descriptor(), as.at_, as.left_, static_cast<off_t>(as.place_));
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) as.error_ = errno;
    if (moved == 0 && as.is_write_) as.error_ = EIO;
    if (moved <= 0) break;
    const auto size = static_cast<std::size_t>(moved);
    as.at_ += size;
    as.place_ += size;
    as.done_ += size;
    as.left_ -= size;
    // A direct read is short only at the end of the file; places after it are not aligned.
    if (as.of_->is_direct() && !as.is_write_ && size % page != 0) break;
  }
  as.is_complete_ = true;
}

void disk_queue::submit(transfer& as) {
  constexpr std::size_t most = std::size_t{1} << 30;  // bytes of one request
  io_uring_sqe* entry = nullptr;
  while ((entry = ::io_uring_get_sqe(&ring_->at)) == nullptr) ::io_uring_submit(&ring_->at);
  const auto size = static_cast<unsigned>(std::min(as.left_, most));
  if (as.is_write_) {
    ::io_uring_prep_write(entry, as.of_->descriptor(), as.at_, size, as.place_);
  } else {
    ::io_uring_prep_read(entry, as.of_->descriptor(), as.at_, size, as.place_);
  }
  ::io_uring_sqe_set_data(entry, &as);
  for (int sent = 0; (sent = ::io_uring_submit(&ring_->at)) < 0;) {
    if (sent != -EINTR && sent != -EAGAIN && sent != -EBUSY) {
      as.error_ = -sent;
      as.is_complete_ = true;
      return;
    }
  }
}

void disk_queue::wait_for(transfer& of) {
  while (!of.is_complete_) {
    io_uring_cqe* entry = nullptr;
    const int waited = ::io_uring_wait_cqe(&ring_->at, &entry);
    if (waited == -EINTR || waited == -EAGAIN) continue;
    if (waited < 0) throw std::system_error(-waited, std::generic_category(), "io_uring");
    auto& as = *static_cast<transfer*>(::io_uring_cqe_get_data(entry));
    const int moved = entry->res;
    ::io_uring_cqe_seen(&ring_->at, entry);
    // A transfer is cancelled if the thread that submitted it has ended.
    if (moved == -EINTR || moved == -EAGAIN || moved == -ECANCELED) {
      submit(as);
      continue;
    }
    if (moved <= 0) {
      as.error_ = moved < 0 ? -moved : as.is_write_ ? EIO : 0;
      as.is_complete_ = true;
      continue;
    }
    const auto size = static_cast<std::size_t>(moved);
    as.at_ += size;
    as.place_ += size;
    as.done_ += size;
    as.left_ -= size;
    if (as.left_ == 0 || (!as.is_write_ && size % page != 0)) {
      as.is_complete_ = true;
    } else {
      submit(as);
    }
  }
}

std::size_t disk_queue::finish(transfer& of) {
  if (!of.is_complete_) {
    const auto since = clock::now();
    wait_for(of);
    waited_ += clock::now() - since;
  }
  const file& on = *std::exchange(of.of_, nullptr);
  (of.is_write_ ? bytes_written_ : bytes_read_) += of.done_;
  if (of.error_ != 0)
    throw std::system_error(of.error_, std::generic_category(),
                            (of.is_write_ ? "can't write " : "can't read ") + weir::support::quoted_name(on.name()));
  return of.done_;
}

void disk_queue::abandon(transfer& of) noexcept {
  if (!of.is_under_way()) return;
  try {
    finish(of);
  } catch (...) {  // NOLINT(bugprone-empty-catch): nobody is left to be told
  }
}

}  // namespace extsort
