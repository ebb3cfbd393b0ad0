// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/random_bytes.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace weir::cluster {

void fill_with_random(std::span<unsigned char> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "no random numbers");
    if (got > 0) bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace weir::cluster
