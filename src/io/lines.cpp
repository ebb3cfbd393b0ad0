// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/lines.hpp"

#include "weir/blocks/outlet.hpp"
#include "weir/detail/blocks/shape.hpp"
#include "weir/detail/ports/ports.hpp"
#include "weir/graph/error.hpp"

#include "io/input.hpp"
#include "io/line_cutter.hpp"

#include <memory>
#include <utility>

namespace weir {
namespace {

constexpr std::size_t block_bytes = std::size_t{256} * 1024;

class line_source final : public detail::behaviour {
 public:
  explicit line_source(std::vector<std::string> names) : files_(std::move(names)) {}

  void start(detail::ports& at) override {
    read_.clear();
    files_.start(at.owner());
  }

  detail::progress step(detail::ports& at, std::size_t budget) override {
    if (at.draining() || at.out().abandoned()) return detail::progress::ended;
    outlet<std::string> out(at.out());
    auto send = [&](std::string_view line) {
      at.count(1);
      out.send(std::string(line));
    };
    for (std::size_t left = budget; left != 0;) {
      if (const auto line = read_.next()) {
        send(*line);
        --left;
        if (at.interrupted()) break;
        continue;
      }
      io::input* file = files_.current();
      if (file == nullptr) return detail::progress::ended;
      const auto got = file->read(read_.room());
      if (!got) return detail::progress::waiting_room;
      read_.added(*got);
      if (*got != 0) continue;
      files_.next();
      if (read_.held() != 0) send(read_.rest());
      if (at.interrupted()) break;
    }
    return detail::progress::more;
  }

  void finish(detail::ports&) override { files_.close(); }
  void abort(detail::ports&) noexcept override { files_.close(); }

 private:
  io::inputs files_;
  io::line_cutter read_{block_bytes};
};

}  // namespace

block<void, std::string> lines(file_names files) {
  return detail::behaviour_block<void, std::string>(
             "lines", [names = files.all()] { return std::make_unique<line_source>(names); }, true)
      .blocking();
}

}  // namespace weir
