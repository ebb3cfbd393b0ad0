// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/decoder.hpp"
#include "io/descriptor.hpp"
#include "io/doorbell.hpp"
#include "io/watch.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir::io {

/// The bytes of one file, decompressed. What is wrong is thrown with the file's name. One thread at
/// a time.
class input {
 public:
  /// Opens it; `-` is standard input. @throws std::system_error
  input(std::string name, const std::shared_ptr<doorbell>& bell);

  /// Reads some bytes into `to`, which must not be empty; 0 is the end of the file. Nothing: there
  /// are none now, and the bell will ring.
  /// @throws std::runtime_error
  std::optional<std::size_t> read(std::span<std::byte> to);

 private:
  std::optional<std::size_t> read_file(std::span<std::byte> to);
  std::optional<std::size_t> read_decoded(std::span<std::byte> to);
  bool recognise();

  std::string name_;
  descriptor file_;
  std::optional<watch> watch_;  // of what can keep us waiting
  std::unique_ptr<decoder> decoder_;
  bool recognised_ = false;
  bool ended_ = false;
  std::vector<std::byte> held_;         // bytes of the file
  std::span<const std::byte> pending_;  // of these, what has not been decoded or handed out
};

/// The bytes of several files, one after the other, for a node.
class inputs {
 public:
  explicit inputs(std::vector<std::string> names) : names_(std::move(names)) {}

  /// Opens the first file.
  void start(host& owner);
  /// The file at hand: the next one if there is none. Null after the last.
  input* current();
  /// Closes the file at hand.
  void next() noexcept { at_.reset(); }
  /// Closes all of it; nothing wakes the node any more.
  void close() noexcept;

 private:
  std::vector<std::string> names_;
  std::size_t opened_ = 0;
  std::shared_ptr<doorbell> bell_;
  std::optional<input> at_;
};

}  // namespace weir::io
