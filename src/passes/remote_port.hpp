// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/ports.hpp"
#include "weir/passes/cut.hpp"

namespace weir {

/// The near end of a channel that leads to another group: encodes what comes in, and holds the slots of what is on its way.
class remote_sender final : public behaviour {
 public:
  explicit remote_sender(std::shared_ptr<link> to) : to_(std::move(to)) {}
  void start(ports& at) override;
  progress step(ports& at, std::size_t budget) override;
  void finish(ports& at) override;
  void abort(ports& at) noexcept override;

 private:
  std::shared_ptr<link> to_;
  std::uint64_t sent_ = 0;
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
  std::shared_ptr<link> from_;
  std::uint64_t reported_ = 0;
};

}  // namespace weir
