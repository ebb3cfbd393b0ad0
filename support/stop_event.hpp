// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/descriptor.hpp"

#include <sys/eventfd.h>

#include <stop_token>

namespace weir::support {

/// Lets a thread wait for a descriptor and for a request to stop at the same time. One thread uses
/// an object.
class stop_event {
 public:
  /// @throws std::system_error
  explicit stop_event(const std::stop_token& stop);

  /// Waits until the descriptor is ready for `what`, as poll(2) names it.
  /// @return false once a stop is requested
  bool wait_for(int descriptor, short what) const noexcept;
  /// Waits for that time. @return false once a stop is requested
  bool wait(int milliseconds) const noexcept;

 private:
  struct notify {
    int event;
    void operator()() const noexcept { ::eventfd_write(event, 1); }
  };

  descriptor event_;  // readable once a stop is requested
  std::stop_callback<notify> callback_;
};

}  // namespace weir::support
