// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "listening.hpp"

#include <weir/io/tcp.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

namespace wordcount {
namespace {

constexpr std::size_t block_bytes = std::size_t{64} * 1024;

}  // namespace

std::optional<listening_place> listening_place_from(std::string_view text) {
  listening_place made;
  const std::size_t colon = text.rfind(':');
  const std::string_view digits = colon == std::string_view::npos ? text : text.substr(colon + 1);
  const auto [stopped, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), made.port);
  if (problem != std::errc() || stopped != digits.data() + digits.size()) return std::nullopt;
  if (colon == std::string_view::npos) return made;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;  // several colons are ambiguous
  }
  made.host = host;
  return made;
}

// ---- connections ----

/// Makes blocks of lines. A word ends with its line, and therefore with its connection.
class connections::gatherer {
 public:
  explicit gatherer(connections& of) : of_(&of) {}

  void process(weir::peer_line said, weir::outlet<text_block>& out) {
    if (said.peer >= has_spoken_.size()) has_spoken_.resize(said.peer + 1);
    if (!has_spoken_[said.peer]) {
      has_spoken_[said.peer] = true;
      ++read_.files;
      of_->progress_->files.fetch_add(1, std::memory_order_relaxed);
    }
    text_ += said.line;
    text_ += '\n';
    read_.bytes += said.line.size() + 1;
    of_->progress_->bytes.fetch_add(said.line.size() + 1, std::memory_order_relaxed);
    if (text_.size() >= block_bytes) send(out);
  }

  void finish(weir::outlet<text_block>& out) {
    read_.unreadable = of_->lost();
    if (!text_.empty() || read_ != totals{}) send(out);
  }

 private:
  void send(weir::outlet<text_block>& out) {
    text_block made{std::exchange(text_, {}), std::exchange(read_, {})};
    text_.reserve(block_bytes + block_bytes / 4);
    out.send(std::move(made));
  }

  connections* of_;
  std::vector<bool> has_spoken_;  // one for each peer
  std::string text_;
  totals read_;
};

weir::block<void, text_block> connections::source(const listening_place& at, std::size_t count, bool tells_place) {
  weir::listen_options options{.address = at.host, .port = at.port, .peers = count, .ends_when_idle = count == 0};
  if (tells_place) {
    options.on_listening = [this](std::uint16_t port) { complain_(fmt::format("listening at port {}", port)); };
  }
  options.on_connected = [this](std::uint64_t, const std::string& address) { addresses_.push_back(address); };
  options.on_lost = [this](std::uint64_t peer, const std::error_code& problem) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    const bool long_line = problem == std::errc::message_size;
    complain_(fmt::format("lost {}: {}", addresses_.at(peer),
                          long_line ? "it sent a line of more than 1 MiB" : problem.message()));
  };
  return weir::listen_for_lines(std::move(options)).named("listen") | weir::node(gatherer(*this)).named("gather");
}

}  // namespace wordcount
