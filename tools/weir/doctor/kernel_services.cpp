// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "doctor/finding.hpp"
#include "support/descriptor.hpp"

#include <fmt/format.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace {

using weir::support::descriptor;

// A part of the memory that a ring shares with the kernel.
class mapped {
 public:
  mapped(int ring, std::size_t size, off_t place) noexcept
      : size_(size), at_(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, place)) {}
  ~mapped() {
    if (*this) ::munmap(at_, size_);
  }
  mapped(const mapped&) = delete;
  mapped& operator=(const mapped&) = delete;
  explicit operator bool() const noexcept { return at_ != MAP_FAILED; }
  template <class T>
  T* at(std::size_t offset) const noexcept {
    return reinterpret_cast<T*>(static_cast<char*>(at_) + offset);
  }

 private:
  std::size_t size_;
  void* at_;
};

// Sends an operation that does nothing through a ring, and waits for its result. Returns what
// fails; empty: nothing. io_uring(7) describes the ring.
std::string ring_fails() {
  constexpr unsigned entries = 1;
  constexpr std::uint64_t mark = 0x77656972;
  io_uring_params how{};
  const auto call = [](long number, auto... words) { return static_cast<int>(::syscall(number, words...)); };
  const descriptor ring(call(__NR_io_uring_setup, entries, &how));
  if (!ring) return std::strerror(errno);
  const mapped requests(*ring, how.sq_off.array + how.sq_entries * sizeof(unsigned), IORING_OFF_SQ_RING);
  const mapped results(*ring, how.cq_off.cqes + how.cq_entries * sizeof(io_uring_cqe), IORING_OFF_CQ_RING);
  const mapped entry(*ring, how.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES);
  if (!requests || !results || !entry) return std::string("its memory can't be had: ") + std::strerror(errno);
  auto* const asked = entry.at<io_uring_sqe>(0);
  *asked = {};
  asked->opcode = IORING_OP_NOP;
  asked->user_data = mark;
  requests.at<unsigned>(how.sq_off.array)[0] = 0;
  // The kernel reads the tail in the call below.
  std::atomic_ref(*requests.at<unsigned>(how.sq_off.tail)).store(1, std::memory_order_release);
  if (call(__NR_io_uring_enter, *ring, entries, entries, IORING_ENTER_GETEVENTS, nullptr, 0) != 1)
    return std::string("an operation fails: ") + std::strerror(errno);
  const io_uring_cqe& done = results.at<io_uring_cqe>(how.cq_off.cqes)[0];
  if (std::atomic_ref(*results.at<unsigned>(how.cq_off.tail)).load(std::memory_order_acquire) != 1 ||
      done.user_data != mark || done.res != 0)
    return "an operation has no result";
  return {};
}

// Counts something of this thread. Returns what fails; empty: nothing.
std::string counting_fails(std::uint32_t type, std::uint64_t what) {
  perf_event_attr how{};
  how.size = sizeof how;
  how.type = type;
  how.config = what;
  how.exclude_kernel = 1;
  how.exclude_hv = 1;
  const descriptor counter(static_cast<int>(::syscall(__NR_perf_event_open, &how, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!counter && (errno == ENOENT || errno == EOPNOTSUPP)) return "the machine has no such counter";
  if (!counter) return std::strerror(errno);
  volatile unsigned spent = 0;
  for (unsigned i = 0; i != 100'000; ++i) spent = spent + i;
  std::uint64_t count = 0;
  if (::read(*counter, &count, sizeof count) != static_cast<ssize_t>(sizeof count)) return std::strerror(errno);
  return count == 0 ? "it counts nothing" : "";
}

}  // namespace

finding io_uring_found() {
  const std::string problem = ring_fails();
  finding made{.topic = "io_uring", .text = "works", .consequence = {}};
  made.facts["works"] = problem.empty();
  if (!problem.empty()) {
    made.is = offer::none;
    made.text = "does not work: " + problem;
    made.consequence = "Without it, extsort reads and writes by pread and pwrite, which is slower on fast disks";
    made.facts["problem"] = problem;
  }
  return made;
}

finding counters_found() {
  finding made{.topic = "perf counters", .text = "cycles and time are counted", .consequence = {}};
  const std::string cycles = counting_fails(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
  const std::string time = counting_fails(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
  int strictness = 0;
  const bool known = static_cast<bool>(std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> strictness);
  made.facts = {{"cycles", cycles.empty()}, {"time", time.empty()}};
  if (known) made.facts["perf_event_paranoid"] = strictness;
  if (time.empty() && !cycles.empty()) {
    made.is = offer::part;
    made.text = fmt::format("time is counted; cycles are not: {}", cycles);
    made.consequence = "Without them, perf shows where time goes, but no cache misses";
  } else if (!time.empty()) {
    made.is = offer::none;
    made.text = fmt::format("none: {}{}", time,
                            known ? fmt::format("; kernel.perf_event_paranoid is {}", strictness) : std::string());
    made.consequence = "Without them, perf can't show where a node spends its time; weir's reports can do without";
  }
  return made;
}
