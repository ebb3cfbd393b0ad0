// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/lines.hpp"

#include "weir/blocks/node.hpp"

#include "io/input.hpp"

#include <cstring>
#include <memory>
#include <utility>

namespace weir {
namespace {

constexpr std::size_t block_bytes = std::size_t{256} * 1024;

// Reads a block and cuts it at the newlines; a line that goes on in the next block is moved to the front first.
class line_source final : public behaviour {
 public:
  explicit line_source(std::vector<std::string> names) : files_(std::move(names)) {}

  void start(ports& at) override {
    if (memory_ == nullptr) grow(block_bytes);
    first_ = searched_ = last_ = memory_.get();
    files_.start(at.owner());
  }

  progress step(ports& at, std::size_t budget) override {
    if (at.draining() || at.out().abandoned()) return progress::ended;
    outlet<std::string> out(at.out());
    for (std::size_t left = budget; left != 0;) {
      if (const char* end = next_newline()) {
        send(at, out, end);
        first_ = searched_ = end + 1;
        --left;
        if (at.interrupted()) break;
        continue;
      }
      io::input* file = files_.current();
      if (file == nullptr) return progress::ended;
      make_room();
      const auto got = file->read(std::as_writable_bytes(std::span(last_, end_of_memory_)));
      if (!got) return progress::waiting_room;
      last_ += *got;
      if (*got == 0) {
        files_.next();
        if (first_ != last_) send(at, out, last_);
        first_ = searched_ = last_;
        if (at.interrupted()) break;
      }
    }
    return progress::more;
  }

  void finish(ports&) override { files_.close(); }
  void abort(ports&) noexcept override { files_.close(); }

 private:
  const char* next_newline() noexcept {
    if (searched_ == last_) return nullptr;
    const void* found = std::memchr(searched_, '\n', static_cast<std::size_t>(last_ - searched_));
    if (found == nullptr) searched_ = last_;
    return static_cast<const char*>(found);
  }

  void send(ports& at, outlet<std::string>& out, const char* end) {
    at.count(1);
    out.send(std::string(first_, end));
  }

  // Behind what has been read of a line, for at least half a block.
  void make_room() {
    const auto held = static_cast<std::size_t>(last_ - first_);
    if (first_ != memory_.get()) {
      std::memmove(memory_.get(), first_, held);
    } else if (2 * held > size()) {
      const std::unique_ptr<char[]> before = std::move(memory_);
      grow(2 * static_cast<std::size_t>(end_of_memory_ - before.get()));
      std::memcpy(memory_.get(), before.get(), held);
    }
    first_ = memory_.get();
    searched_ = last_ = memory_.get() + held;
  }

  std::size_t size() const noexcept { return static_cast<std::size_t>(end_of_memory_ - memory_.get()); }
  void grow(std::size_t bytes) {
    memory_ = std::make_unique_for_overwrite<char[]>(bytes);
    end_of_memory_ = memory_.get() + bytes;
  }

  io::inputs files_;
  std::unique_ptr<char[]> memory_;
  char* end_of_memory_ = nullptr;
  const char* first_ = nullptr;     // of the line to come
  const char* searched_ = nullptr;  // no newline before it
  char* last_ = nullptr;            // behind what has been read
};

}  // namespace

block<void, std::string> lines(std::vector<std::string> paths) {
  return detail::node_block<void, std::string>(
             "lines", [names = std::move(paths)] { return std::make_unique<line_source>(names); }, true)
      .named("lines");
}

block<void, std::string> lines(std::string path) { return lines(std::vector{std::move(path)}); }

}  // namespace weir
