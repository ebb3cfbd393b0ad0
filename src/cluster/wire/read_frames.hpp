// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/wire/transport.hpp"

namespace weir::cluster {

/// Hands the frames that a reader has read to the user of a transport, until `over` is set.
/// @throws protocol_error, and exceptions of the user
inline void hand_over_frames(frame_reader& from, transport::user& to, const bool& over) {
  class in_reader final : public arrived_frame {
   public:
    in_reader(const frame_reader::frame& what, const frame_reader& from)
        : arrived_frame(what.header, what.payload), from_(from) {}
    buffer keep() override { return from_.keep_payload(); }

   private:
    const frame_reader& from_;
  };
  while (const auto frame = from.next()) {
    in_reader what(*frame, from);
    to.arrived(what);
    if (over) return;
  }
}

}  // namespace weir::cluster
