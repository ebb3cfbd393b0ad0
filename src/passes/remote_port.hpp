// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/ports.hpp"
#include "weir/passes/cut.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

namespace weir {

/// The near end of a channel that leads to another group: encodes what comes in, and holds the slots of what is on its way. No
/// more is on its way than the channel has slots, and `link::bytes_under_way_most` bytes and one frame.
class remote_sender final : public behaviour {
 public:
  explicit remote_sender(std::shared_ptr<link> to) : to_(std::move(to)) {}
  void start(ports& at) override;
  progress step(ports& at, std::size_t budget) override;
  void finish(ports& at) override;
  void abort(ports& at) noexcept override;

 private:
  // The items up to `items` and the bytes up to `bytes`, counted from the first, end a frame.
  struct sent_to {
    std::uint64_t items;
    std::uint64_t bytes;
  };

  bool has_room(const channel& data) const {
    return bytes_sent_ - bytes_completed_ < link::bytes_under_way_most && items_allowed(data) != 0;
  }
  std::uint64_t items_allowed(const channel& data) const;
  bool waits_for_more(const channel& data) const;
  void give_back(ports& at);
  std::uint64_t encode(ports& at, channel& data, channel::slots held, byte_sink& to) const;

  std::shared_ptr<link> to_;
  std::deque<sent_to> under_way_;
  std::uint64_t bytes_sent_ = 0;
  std::uint64_t bytes_completed_ = 0;
  std::uint64_t completed_ = 0;
};

/// The far end: decodes what comes, and reports what its consumer has completed.
class remote_receiver final : public behaviour {
 public:
  explicit remote_receiver(std::shared_ptr<link> from) : from_(std::move(from)) {}
  void start(ports& at) override;
  progress step(ports& at, std::size_t budget) override;
  void finish(ports& at) override;
  void abort(ports& at) noexcept override;

 private:
  static void decode(ports& at, std::uint64_t items, byte_source& from);

  std::shared_ptr<link> from_;
  std::uint64_t reported_ = 0;
};

}  // namespace weir
