// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/decoder.hpp"
#include "io/descriptor.hpp"
#include "io/node_waker.hpp"
#include "io/watch.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir::io {

/// The bytes of one file, decompressed. Errors are thrown with the file's name. One thread at a
/// time.
class input {
 public:
  /// Opens the file; `-` is standard input. @throws std::system_error
  input(std::string name, const std::shared_ptr<node_waker>& waker);

  /// Reads some bytes into `to`, which must not be empty. 0 is the end of the file. Empty: there
  /// are no bytes now, and the waker will ring.
  /// @throws std::runtime_error
  std::optional<std::size_t> read(std::span<std::byte> to);

 private:
  std::optional<std::size_t> read_file(std::span<std::byte> to);
  std::optional<std::size_t> read_decoded(std::span<std::byte> to);
  bool recognise();

  std::string name_;
  descriptor file_;
  std::optional<watch> watch_;  // for files that may have no data yet
  std::unique_ptr<decoder> decoder_;
  bool recognised_ = false;
  bool ended_ = false;
  std::vector<std::byte> held_;         // bytes read from the file
  std::span<const std::byte> pending_;  // the bytes of held_ that have not been decoded or handed out
};

/// The bytes of several files, one file after the other, for a node.
class inputs {
 public:
  explicit inputs(std::vector<std::string> names) : names_(std::move(names)) {}

  /// Opens the first file.
  void start(detail::host& owner);
  /// Returns the current file, and opens the next one if there is none. Null after the last.
  input* current();
  /// Closes the current file.
  void next() noexcept { at_.reset(); }
  /// Closes the current file; afterwards nothing wakes the node any more.
  void close() noexcept;

 private:
  std::vector<std::string> names_;
  std::size_t opened_ = 0;
  std::shared_ptr<node_waker> waker_;
  std::optional<input> at_;
};

}  // namespace weir::io
