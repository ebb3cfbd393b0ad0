// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "io/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace weir::io {
namespace {

constexpr std::size_t first_bytes = 4096;
constexpr std::size_t compressed_bytes = std::size_t{128} * 1024;

std::string cant_read(const std::string& name) { return "can't read " + shown(name, "standard input"); }

}  // namespace

input::input(std::string name, const std::shared_ptr<node_waker>& waker) : name_(std::move(name)) {
  // Non-blocking, so that opening a pipe does not wait for its writer.
  file_ = descriptor(name_ == "-" ? STDIN_FILENO : ::open(name_.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat status {};
  if (file_.get() < 0 || ::fstat(file_.get(), &status) != 0) fail_with_errno(cant_read(name_));
  if (S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    fail_with_errno(cant_read(name_));
  }
  if (!S_ISREG(status.st_mode)) watch_ = watch::of(file_.get(), direction::in, waker);
}

std::optional<std::size_t> input::read(std::span<std::byte> to) {
  if (!recognised_ && !recognise()) return std::nullopt;
  if (decoder_ != nullptr) return read_decoded(to);
  if (pending_.empty()) return read_file(to);
  const std::size_t some = std::min(pending_.size(), to.size());
  std::memcpy(to.data(), pending_.data(), some);
  pending_ = pending_.subspan(some);
  return some;
}

// Reads until the first bytes identify the compression. @return false if there are no bytes now
bool input::recognise() {
  if (held_.empty()) held_.resize(first_bytes);
  while (pending_.size() < magic_bytes && !ended_) {
    const auto got = read_file(std::span(held_).subspan(pending_.size()));
    if (!got) return false;
    ended_ = *got == 0;
    pending_ = std::span(held_).first(pending_.size() + *got);
  }
  decoder_ = decoder_for(pending_);
  if (decoder_ != nullptr) {
    held_.resize(compressed_bytes);
    pending_ = std::span(held_).first(pending_.size());
  }
  recognised_ = true;
  return true;
}

std::optional<std::size_t> input::read_decoded(std::span<std::byte> to) {
  try {
    for (;;) {
      const decoder::progress done = decoder_->decode(pending_, to);
      pending_ = pending_.subspan(done.taken);
      if (done.made != 0) return done.made;
      if (!pending_.empty()) continue;
      if (ended_) {
        decoder_->end();
        return 0;
      }
      const auto got = read_file(held_);
      if (!got) return std::nullopt;
      ended_ = *got == 0;
      pending_ = std::span(held_).first(*got);
    }
  } catch (const std::system_error&) {
    throw;
  } catch (const std::runtime_error& problem) {
    throw std::runtime_error(cant_read(name_) + ": " + problem.what());
  }
}

std::optional<std::size_t> input::read_file(std::span<std::byte> to) {
  for (;;) {
    if (watch_ && !watch_->ready()) return std::nullopt;
    const ssize_t got = ::read(file_.get(), to.data(), to.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == EINTR || (errno == EAGAIN && watch_)) continue;
    fail_with_errno(cant_read(name_));
  }
}

void inputs::start(detail::host& owner) {
  opened_ = 0;
  at_.reset();
  waker_ = std::make_shared<node_waker>(owner);
  current();
}

input* inputs::current() {
  if (!at_) {
    if (opened_ == names_.size()) return nullptr;
    at_.emplace(names_[opened_], waker_);
    ++opened_;
  }
  return &*at_;
}

void inputs::close() noexcept {
  if (waker_ != nullptr) waker_->close();
  at_.reset();
}

}  // namespace weir::io
