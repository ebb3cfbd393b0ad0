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

/// Address at which the program listens for lines, instead of reading files.
struct listening_place {
  std::string host;  ///< an address or a name of this machine; empty: all its addresses
  std::uint16_t port = 0;
};

/// Parses `4711`, `host:4711`, `[::1]:4711`. @return none: the text has another form
std::optional<listening_place> listening_place_from(std::string_view text);

/// Lines that connections have sent to this process so far. For one run.
class connections {
 public:
  using complaint = std::function<void(const std::string&)>;

  /// @param progress counts up meanwhile; must outlive this object
  connections(tally& progress, complaint complain) : progress_(&progress), complain_(std::move(complain)) {}

  /// Makes a source of the lines of all connections, gathered into blocks. It ends when `count`
  /// connections have been closed; with 0, when there is no connection any more after the first. A
  /// connection that breaks off is reported, and its unfinished line is lost. This object must
  /// outlive the source's runs.
  /// @param tells_place whether to print the address at which it listens
  weir::block<void, text_block> source(const listening_place& at, std::size_t count, bool tells_place);

  /// Returns the number of connections that have broken off.
  std::size_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

 private:
  class gatherer;

  tally* progress_;
  complaint complain_;
  std::atomic<std::size_t> lost_{0};
  std::vector<std::string> addresses_;  // one for each peer; used by the thread of the source
};

}  // namespace wordcount
