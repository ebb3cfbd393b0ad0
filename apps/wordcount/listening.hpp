// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/io/tcp.hpp>
#include <weir/item/cereal.hpp>
#include <weir/weir.hpp>

#include "reader.hpp"

#include <cereal/types/string.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace wordcount {

/// Where lines come from instead of files.
struct listening_place {
  std::string host;  ///< an address or a name of this machine; empty: all its addresses
  std::uint16_t port = 0;
};

/// `4711`, `host:4711`, `[::1]:4711`; nothing if it is something else.
std::optional<listening_place> listening_place_from(std::string_view text);

/// What came from connections so far in this process. For one run.
class connections {
 public:
  using complaint = std::function<void(const std::string&)>;

  /// @param progress counts up meanwhile; must outlive this
  connections(tally& progress, complaint complain) : progress_(&progress), complain_(std::move(complain)) {}

  /// A source of the lines of all who connect, gathered into blocks. It ends when `count` of them
  /// have closed; 0: when nobody is connected any more, once somebody was. Who breaks off is told,
  /// and the line that was begun is lost. This must outlive its runs.
  /// @param tells_place whether to say where it listens
  weir::block<void, text_block> source(const listening_place& at, std::size_t count, bool tells_place);

  /// How many have broken off.
  std::size_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

 private:
  class gatherer;

  tally* progress_;
  complaint complain_;
  std::atomic<std::size_t> lost_{0};
  std::vector<std::string> addresses_;  // by peer; of the thread of the source
};

}  // namespace wordcount
