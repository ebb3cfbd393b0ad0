// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/write_chunks.hpp"
#include "weir/io/write_lines.hpp"

#include "io/file_output.hpp"
#include "io/sink_behaviour.hpp"

#include <memory>
#include <utility>

namespace weir {
namespace {

auto opener_of(std::string name, write_options options) {
  static_cast<void>(io::encoder_for(options.compress, options.level));  // throws for an invalid level
  return [name = std::move(name), options](const std::shared_ptr<io::node_waker>& waker) {
    return std::make_unique<io::file_output>(name, options, waker);
  };
}

}  // namespace

block<std::string, void> write_lines(std::string path, write_options options) {
  return io::sink_into<std::string>("write_lines", opener_of(std::move(path), options));
}
block<buffer, void> write_chunks(std::string path, write_options options) {
  return io::sink_into<buffer>("write_chunks", opener_of(std::move(path), options));
}

}  // namespace weir
