// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/chunks.hpp"

#include "weir/blocks/outlet.hpp"
#include "weir/detail/blocks/shape.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/graph/error.hpp"

#include "graph/counts.hpp"
#include "io/input.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace weir {
namespace {

constexpr std::uint64_t under_way_most = 16;

enum class cut { anywhere, after_lines };

class chunk_source final : public detail::behaviour {
 public:
  chunk_source(std::vector<std::string> names, std::size_t bytes, cut where)
      : files_(std::move(names)), bytes_(bytes), where_(where) {}

  void start(detail::ports& at) override {
    filling_ = buffer();
    used_ = searched_ = 0;
    files_.start(at.owner());
  }

  detail::progress step(detail::ports& at, std::size_t budget) override {
    detail::out_port& port = at.out();
    if (at.draining() || port.abandoned()) return detail::progress::ended;
    outlet<buffer> out(port);
    for (std::size_t left = budget; left != 0; --left) {
      if (too_many_under_way(port)) return detail::progress::waiting_room;
      switch (fill()) {
        case state::chunk: break;
        case state::none_now: return detail::progress::waiting_room;
        case state::end: return detail::progress::ended;
      }
      at.count(1);
      out.send(std::move(made_));
      if (at.interrupted()) break;
    }
    return detail::progress::more;
  }

  void finish(detail::ports&) override { close(); }
  void abort(detail::ports&) noexcept override { close(); }

 private:
  enum class state { chunk, none_now, end };

  // Returns whether the consumer has to complete chunks first. With several consumers there is no
  // limit: a chunk sent to a consumer that has ended is never completed, and must not be waited
  // for.
  static bool too_many_under_way(detail::out_port& port) noexcept {
    if (port.width() != 1) return false;
    const std::uint64_t completed = port.completed();
    return port.sent() - completed >= under_way_most && !port.watch_completion(completed);
  }

  // Reads until `made_` is the next chunk.
  state fill() {
    for (;;) {
      io::input* file = files_.current();
      if (file == nullptr) return state::end;
      if (used_ == filling_.size()) {
        if (used_ != 0 && cut_off()) return state::chunk;
        grow();
      }
      const auto got = file->read(filling_.writable().subspan(used_));
      if (!got) return where_ == cut::after_lines && cut_off() ? state::chunk : state::none_now;
      used_ += *got;
      if (*got != 0) continue;
      files_.next();
      if (used_ == 0) continue;
      made_ = std::move(filling_).slice(0, used_);
      filling_ = buffer();
      used_ = searched_ = 0;
      return state::chunk;
    }
  }

  // Makes a chunk of the bytes read. The bytes of an incomplete line begin the next one.
  bool cut_off() {
    std::size_t end = used_;
    if (where_ == cut::after_lines) {
      const std::size_t newline = filling_.text().substr(searched_, used_ - searched_).rfind('\n');
      if (newline == std::string_view::npos) {
        searched_ = used_;
        return false;
      }
      end = searched_ + newline + 1;
    }
    buffer next;
    if (end != used_) {
      next = buffer(std::max(bytes_, 2 * (used_ - end)));
      std::copy(filling_.bytes().begin() + static_cast<std::ptrdiff_t>(end),
                filling_.bytes().begin() + static_cast<std::ptrdiff_t>(used_), next.writable().begin());
    }
    made_ = std::move(filling_).slice(0, end);
    filling_ = std::move(next);
    searched_ = used_ = used_ - end;
    return true;
  }

  // Allocates the first buffer, or a larger one for a longer line.
  void grow() {
    buffer larger(std::max(bytes_, 2 * filling_.size()));
    if (used_ != 0) std::memcpy(larger.writable().data(), filling_.bytes().data(), used_);
    filling_ = std::move(larger);
  }

  void close() noexcept {
    files_.close();
    filling_ = made_ = buffer();
  }

  io::inputs files_;
  std::size_t bytes_;
  cut where_;
  buffer filling_;
  std::size_t used_ = 0;      // bytes of filling_ that have been read
  std::size_t searched_ = 0;  // no newline before it; used for lines only
  buffer made_;
};

block<void, buffer> source_of(const char* kind, std::vector<std::string> names, std::size_t bytes, cut where) {
  if (bytes == 0) throw graph_error(kind, "a chunk of 0 bytes would hold nothing; use at least 1");
  if (bytes > detail::count_most) {
    throw graph_error(kind, "a chunk of " + std::to_string(bytes) + " bytes is too large; use at most " +
                                std::to_string(detail::count_most));
  }
  return detail::behaviour_block<void, buffer>(
             kind,
             [names = std::move(names), bytes, where] { return std::make_unique<chunk_source>(names, bytes, where); },
             true)
      .blocking();
}

}  // namespace

block<void, buffer> chunks(file_names files, std::size_t bytes) {
  return source_of("chunks", files.all(), bytes, cut::anywhere);
}
block<void, buffer> line_chunks(file_names files, std::size_t bytes) {
  return source_of("line_chunks", files.all(), bytes, cut::after_lines);
}

}  // namespace weir
