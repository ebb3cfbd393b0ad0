// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/random_bytes.hpp"
#include "cluster/wire/shm_region.hpp"
#include "cluster/wire/shm_transport.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

namespace weir::cluster {

using shm::direction;
using shm::region_contents;

namespace {

constexpr int sealed = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

shm_region::shm_region(int descriptor) {
  void* const at = ::mmap(nullptr, sizeof(region_contents), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (at == MAP_FAILED) fail("mmap");
  contents = static_cast<region_contents*>(at);
}
shm_region::~shm_region() { ::munmap(contents, sizeof(region_contents)); }

shm_memory::shm_memory(std::shared_ptr<shm_region> region, int descriptor, bool made_here,
                       const shm_offer& offer) noexcept
    : region_(std::move(region)), descriptor_(descriptor), made_here_(made_here), offer_(offer) {}

shm_memory::shm_memory(shm_memory&& other) noexcept
    : region_(std::move(other.region_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      made_here_(other.made_here_),
      offer_(other.offer_) {}

shm_memory& shm_memory::operator=(shm_memory&& other) noexcept {
  std::swap(region_, other.region_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(made_here_, other.made_here_);
  std::swap(offer_, other.offer_);
  return *this;
}

shm_memory::~shm_memory() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

shm_memory shm_memory::make() {
  const int descriptor = ::memfd_create("weir", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) fail("memfd_create");
  shm_memory made(nullptr, descriptor, true, {});
  // Sealed, so that neither side can take the memory away from the other.
  if (::ftruncate(descriptor, sizeof(region_contents)) != 0 || ::fcntl(descriptor, F_ADD_SEALS, sealed) != 0) {
    fail("shared memory");
  }
  made.region_ = std::make_shared<shm_region>(descriptor);
  made.offer_.process = static_cast<std::uint64_t>(::getpid());
  made.offer_.descriptor = static_cast<std::uint64_t>(descriptor);
  fill_with_random(made.offer_.token);
  region_contents& contents = *made.region_->contents;
  contents.token = made.offer_.token;
  // The memory is zero, as the other members require.
  for (direction& each : contents.directions) each.free_blocks.store(~std::uint64_t{0}, std::memory_order_relaxed);
  return made;
}

std::optional<shm_memory> shm_memory::open(const shm_offer& offer) noexcept {
  try {
    const std::string path = "/proc/" + std::to_string(offer.process) + "/fd/" + std::to_string(offer.descriptor);
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return std::nullopt;
    shm_memory made(nullptr, descriptor, false, offer);
    struct stat about {};
    if (::fstat(descriptor, &about) != 0 || static_cast<std::size_t>(about.st_size) != sizeof(region_contents) ||
        (::fcntl(descriptor, F_GET_SEALS) & sealed) != sealed) {
      return std::nullopt;
    }
    made.region_ = std::make_shared<shm_region>(descriptor);
    if (made.region_->contents->token != offer.token) return std::nullopt;
    return made;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace weir::cluster
