// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>

namespace weir {

class ports;

/// What a node may ask about its place in the network: the optional last parameter of `process`,
/// `start`, `finish`, `next` and `run`. Valid during that call and on its thread only.
class context {
 public:
  [[gnu::always_inline]] explicit context(ports& at) noexcept : at_(&at) {}

  /// The channel that the item in hand came from, in [0, channels()): one for each producer, in the
  /// order of the block before.
  std::size_t channel() const noexcept;
  std::size_t channels() const noexcept;

  /// Whether the item in hand came back from a loop.
  bool from_loop() const noexcept;

  /// Which of the equal nodes of its farm this is, in [0, width()).
  std::size_t index() const noexcept;
  std::size_t width() const noexcept;

  const std::string& path() const noexcept;

  /// Whether the run is being cancelled; a long computation may look and return.
  bool stop_requested() const noexcept;
  /// Whether sources shall end; one written as a loop may look and return.
  bool drain_requested() const noexcept;

  /// The same as tokens, for a node that waits for something that is not weir's:
  /// `std::condition_variable_any::wait` takes one, and a `std::stop_callback` wakes what else it
  /// waits for. They hold for this run; keep none for the next. A callback runs on the thread that
  /// cancels or fails the run.
  std::stop_token stop_token() const noexcept;
  std::stop_token drain_token() const noexcept;

  /// For what stands between an author's node and the engine.
  ports& place() const noexcept { return *at_; }

 private:
  ports* at_;
};

}  // namespace weir
