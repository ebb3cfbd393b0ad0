// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <cstddef>
#include <stop_token>
#include <string>

namespace weir {

namespace detail {
class ports;
}

/// Information that a node may ask for about its place in the network. It is the optional last
/// parameter of `process`, `start`, `finish`, `next` and `run`. Valid during that call and on its
/// thread only.
class WEIR_API context {
 public:
  [[gnu::always_inline]] explicit context(detail::ports& at) noexcept : at_(&at) {}

  /// Returns the number of the channel that the current item came from, in [0, channels()). There
  /// is one channel for each producer, in the order of the preceding block.
  std::size_t channel() const noexcept;
  std::size_t channels() const noexcept;

  /// Returns whether the current item came back through a loop.
  bool from_loop() const noexcept;

  /// Returns which of the equal nodes of its farm this node is, in [0, width()).
  std::size_t index() const noexcept;
  std::size_t width() const noexcept;

  const std::string& path() const noexcept;

  /// Returns whether the run is being cancelled. A long computation may check this and return.
  bool stop_requested() const noexcept;
  /// Returns whether sources shall end. A source written as a loop may check this and return.
  bool drain_requested() const noexcept;

  /// The same two conditions as stop tokens, for a node that waits for an event outside weir:
  /// `std::condition_variable_any::wait` takes a token, and a `std::stop_callback` can wake other
  /// kinds of waits. The tokens are valid for this run only. Do not keep them for the next run. A
  /// callback runs on the thread that cancels or fails the run.
  std::stop_token stop_token() const noexcept;
  std::stop_token drain_token() const noexcept;

  /// Returns the ports of the node, for library code between the author's node and the engine.
  detail::ports& place() const noexcept { return *at_; }

 private:
  detail::ports* at_;
};

}  // namespace weir
