// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A library to be preloaded (LD_PRELOAD) into a program. It makes one call fail: call number
// FAILING_IO_AT, counted from 1, among the calls of the kinds that FAILING_IO_CALLS names
//
//   read      pread, read, and reads by io_uring
//   write     pwrite, write to files, and writes by io_uring
//   file      open of a file without a name, fallocate, ftruncate, fsync, linkat, rename
//   close     close of a file that can be written
//
// in the way that FAILING_IO_WITH says
//
//   EIO, ENOSPC, …    with that error; by io_uring always with EIO (read) or ENOSPC (write)
//   SHORT             less is read or written than was asked for: one page, or half of less than two
//   FLIP              the call succeeds, but one bit in the middle of the written data is flipped
//
// FAILING_IO_REPORT names a file that is written when the call fails and says which call it was; if
// there were fewer calls, the file is not made. Only files in the folder FAILING_IO_IN count for
// `read`, `write` and `close`. With FAILING_IO_UNNAMED=no no file without a name can be made in any
// folder.

#include <dlfcn.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

template <class F>
F* real(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

std::string_view setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

int error_asked_for() {
  const std::string_view with = setting("FAILING_IO_WITH");
  for (const int error : {EIO, ENOSPC, EDQUOT, EOPNOTSUPP, EACCES}) {
    if (with == ::strerrorname_np(error)) return error;
  }
  return 0;
}

// Whether this call is the one that must fail.
bool fails_now(std::string_view kind, const char* call) {
  static std::atomic<long> calls = 0;
  static const long at = std::atol(std::getenv("FAILING_IO_AT") == nullptr ? "0" : std::getenv("FAILING_IO_AT"));
  if (setting("FAILING_IO_CALLS").find(kind) == std::string_view::npos || ++calls != at) return false;
  const int report = real<int(const char*, int, ...)>("open")(std::getenv("FAILING_IO_REPORT"),
                                                              O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (report < 0 || real<ssize_t(int, const void*, std::size_t)>("write")(report, call, std::strlen(call)) < 0)
    std::abort();
  real<int(int)>("close")(report);
  return true;
}

bool is_file(int descriptor) {
  std::array<char, 4096> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  if (::readlink(link.c_str(), path.data(), path.size() - 1) <= 0) return false;
  const std::string_view folder = setting("FAILING_IO_IN");
  return !folder.empty() && std::string_view(path.data()).starts_with(folder);
}

bool is_folder(int descriptor) {
  struct stat about {};
  return ::fstat(descriptor, &about) == 0 && S_ISDIR(about.st_mode);
}

constexpr std::size_t page = 4096;

std::size_t shortened(std::size_t size) { return size >= 2 * page ? page : std::max<std::size_t>(1, size / 2); }

ssize_t reads(const char* call, int from, void* to, std::size_t size, off_t place) {
  if (is_file(from) && fails_now("read", call)) {
    if (const int error = error_asked_for()) {
      errno = error;
      return -1;
    }
    size = shortened(size);
  }
  return place < 0 ? real<ssize_t(int, void*, std::size_t)>("read")(from, to, size)
                   : real<ssize_t(int, void*, std::size_t, off_t)>("pread")(from, to, size, place);
}

ssize_t writes(const char* call, int to, const void* from, std::size_t size, off_t place) {
  const auto really = [&] {
    return place < 0 ? real<ssize_t(int, const void*, std::size_t)>("write")(to, from, size)
                     : real<ssize_t(int, const void*, std::size_t, off_t)>("pwrite")(to, from, size, place);
  };
  if (!is_file(to) || !fails_now("write", call)) return really();
  if (const int error = error_asked_for()) {
    errno = error;
    return -1;
  }
  if (setting("FAILING_IO_WITH") == "FLIP") {
    char& middle = const_cast<char*>(static_cast<const char*>(from))[size / 2];
    middle = static_cast<char>(middle ^ 4);
    const ssize_t written = really();
    middle = static_cast<char>(middle ^ 4);
    return written;
  }
  size = shortened(size);
  return really();
}

// @return whether the call fails; `errno` then has the error
bool file_fails(const char* call) {
  if (!fails_now("file", call)) return false;
  errno = error_asked_for();
  return true;
}

int opens(const char* call, const char* name, int flags, mode_t mode) {
  if ((flags & O_TMPFILE) == O_TMPFILE) {
    if (setting("FAILING_IO_UNNAMED") == "no") {
      errno = EOPNOTSUPP;
      return -1;
    }
    if (file_fails(call)) return -1;
  }
  return real<int(const char*, int, ...)>(call)(name, flags, mode);
}

// Changes a request that is about to be submitted into one that the kernel refuses, or into a
// shorter one.
void spoil(io_uring_sqe& entry) {
  const bool is_write = entry.opcode == IORING_OP_WRITE;
  if (!is_write && entry.opcode != IORING_OP_READ) return;
  if (!fails_now(is_write ? "write" : "read", is_write ? "io_uring write" : "io_uring read")) return;
  if (setting("FAILING_IO_WITH") == "SHORT") {
    entry.len = static_cast<unsigned>(shortened(entry.len));
  } else if (is_write) {
    static const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    entry.fd = full;
  } else {
    static const int memory = ::open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    entry.fd = memory;  // the first page of `memory` is not mapped
    entry.off = 0;
  }
}

}  // namespace

extern "C" {

ssize_t pread(int from, void* to, std::size_t size, off_t place) { return reads("pread", from, to, size, place); }
ssize_t pread64(int from, void* to, std::size_t size, off_t place) { return reads("pread", from, to, size, place); }
ssize_t read(int from, void* to, std::size_t size) { return reads("read", from, to, size, -1); }
ssize_t pwrite(int to, const void* from, std::size_t size, off_t place) {
  return writes("pwrite", to, from, size, place);
}
ssize_t pwrite64(int to, const void* from, std::size_t size, off_t place) {
  return writes("pwrite", to, from, size, place);
}
ssize_t write(int to, const void* from, std::size_t size) { return writes("write", to, from, size, -1); }

int open(const char* name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return opens("open", name, flags, mode);
}
int open64(const char* name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return opens("open64", name, flags, mode);
}

int fallocate(int of, int mode, off_t place, off_t size) {
  return file_fails((mode & FALLOC_FL_PUNCH_HOLE) != 0 ? "fallocate of a hole" : "fallocate")
             ? -1
             : real<int(int, int, off_t, off_t)>("fallocate")(of, mode, place, size);
}
int ftruncate(int of, off_t size) noexcept {
  return file_fails("ftruncate") ? -1 : real<int(int, off_t)>("ftruncate")(of, size);
}
int fsync(int of) {
  return file_fails(is_folder(of) ? "fsync of a folder" : "fsync") ? -1 : real<int(int)>("fsync")(of);
}
int close(int of) {
  const auto really = real<int(int)>("close");
  const int flags = setting("FAILING_IO_CALLS") == "close" ? ::fcntl(of, F_GETFL) : -1;
  const bool fails = flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && is_file(of) && fails_now("close", "close");
  const int closed = really(of);
  if (!fails) return closed;
  errno = error_asked_for();
  return -1;
}
int linkat(int from, const char* name, int to, const char* as, int flags) noexcept {
  return file_fails("linkat") ? -1
                              : real<int(int, const char*, int, const char*, int)>("linkat")(from, name, to, as, flags);
}
int rename(const char* from, const char* to) noexcept {
  return file_fails("rename") ? -1 : real<int(const char*, const char*)>("rename")(from, to);
}

int io_uring_submit(io_uring* ring) {
  for (unsigned at = ring->sq.sqe_head; at != ring->sq.sqe_tail; ++at) spoil(ring->sq.sqes[at & *ring->sq.kring_mask]);
  return real<int(io_uring*)>("io_uring_submit")(ring);
}

}  // extern "C"
