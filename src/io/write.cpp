// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/blocks/node.hpp"
#include "weir/io/write_chunks.hpp"
#include "weir/io/write_lines.hpp"

#include "io/output.hpp"

#include <memory>
#include <string_view>
#include <utility>

namespace weir {
namespace {

void add(io::output& to, const std::string& line) {
  to.add(line);
  to.add("\n");
}
void add(io::output& to, const buffer& chunk) { to.add(chunk.text()); }

template <class Item>
class file_sink final : public behaviour {
 public:
  file_sink(std::string name, write_options options) : name_(std::move(name)), options_(options) {}

  void start(ports& at) override {
    bell_ = std::make_shared<io::doorbell>(at.owner());
    file_ = std::make_unique<io::output>(name_, options_, bell_);
    ended_ = false;
  }

  progress step(ports& at, std::size_t budget) override {
    if (!ended_) {
      const std::size_t given = budget;
      bool full = !file_->has_room();
      progress how = progress::waiting_room;
      if (!full) {
        how = at.in().consume(
            budget, at.run_length(),
            [&](std::byte* first, std::size_t count, channel& from) {
              claimed_items<Item> items(first, from);
              for (; count != 0 && !full; --count) {
                add(*file_, items.take());
                items.done();
                full = !file_->has_room();
              }
              return items.count();
            },
            [&] { return full || at.interrupted(); });
      }
      at.count(given - budget);
      if (how != progress::ended) {
        if (how == progress::waiting_input && file_->as_items_come()) file_->flush();
        return how;
      }
      file_->end();
      ended_ = true;
    }
    return file_->flush() ? progress::ended : progress::waiting_room;
  }

  void finish(ports&) override {
    bell_->close();
    const auto file = std::move(file_);
    file->commit();
  }
  void abort(ports&) noexcept override {
    if (bell_ != nullptr) bell_->close();
    file_.reset();
  }

 private:
  std::string name_;
  write_options options_;
  std::shared_ptr<io::doorbell> bell_;
  std::unique_ptr<io::output> file_;
  bool ended_ = false;  // the input; what is left is to write
};

template <class Item>
block<Item, void> sink_into(const char* kind, std::string name, write_options options) {
  static_cast<void>(io::encoder_for(options.compress, options.level));  // refuses what it can't do
  return detail::node_block<Item, void>(
             kind, [name = std::move(name), options] { return std::make_unique<file_sink<Item>>(name, options); },
             false)
      .named(kind);
}

}  // namespace

block<std::string, void> write_lines(std::string path, write_options options) {
  return sink_into<std::string>("write_lines", std::move(path), options);
}
block<buffer, void> write_chunks(std::string path, write_options options) {
  return sink_into<buffer>("write_chunks", std::move(path), options);
}

}  // namespace weir
