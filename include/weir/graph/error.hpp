// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <exception>
#include <stdexcept>
#include <string>

namespace weir {

/// An error in a graph that can't work. It is found before any node runs. `what()` is one line: the
/// path of the node, the problem, and how to fix it.
class WEIR_API graph_error : public std::invalid_argument {
 public:
  graph_error(std::string path, const std::string& problem);
  graph_error(const graph_error&) = default;
  graph_error& operator=(const graph_error&) = default;
  ~graph_error() override;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// An exception that left a node, thrown out of `run`. The original is nested in it
/// (`std::rethrow_if_nested`), and its text is part of `what()`.
class WEIR_API node_error : public std::runtime_error, public std::nested_exception {
 public:
  /// Nests the exception that is being handled. If there is none, nests a `std::runtime_error` with
  /// the text of this error.
  node_error(std::string path, const std::string& problem);
  node_error(const node_error&) = default;
  node_error& operator=(const node_error&) = default;
  ~node_error() override;

  const std::string& path() const noexcept { return path_; }

 protected:
  node_error(std::string path, const std::string& who, const std::string& problem);

 private:
  std::string path_;
};

/// Returns the text of an exception, also of one that is not a `std::exception`.
WEIR_API std::string message_of(const std::exception_ptr& problem);

/// Returns a `node_error` of the node at `path` in which `problem` is nested.
WEIR_API std::exception_ptr node_error_of(const std::string& path, const std::exception_ptr& problem) noexcept;

/// An error of a node in another group of the cluster, or of that group as a whole. Only the text
/// of the original exception is transferred, so the nested exception is a `std::runtime_error` with
/// the text of `what()`.
class WEIR_API group_error : public node_error {
 public:
  /// @param path path of the node; empty if the error is about the group as a whole
  group_error(std::string group, const std::string& path, const std::string& problem);
  group_error(const group_error&) = default;
  group_error& operator=(const group_error&) = default;
  ~group_error() override;

  const std::string& group() const noexcept { return group_; }

 private:
  std::string group_;
};

/// Thrown out of `send` when the run is being cancelled or the consumer of the item has ended,
/// because sending is pointless then. Deliberately not a `std::exception`, so that a node's own
/// handlers let it pass. A node need not catch it.
class stopped {};

}  // namespace weir
