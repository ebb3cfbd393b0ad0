// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace weir {

/// A graph that can't work, found before anything starts. `what()` is one line: the node's path,
/// what is wrong, and what to do about it.
class graph_error : public std::invalid_argument {
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
class node_error : public std::runtime_error, public std::nested_exception {
 public:
  /// Nests the exception being handled, or, if there is none, a `std::runtime_error` with this
  /// text.
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

/// The text of an exception, also of one that is no std::exception.
std::string message_of(const std::exception_ptr& problem);

/// A node_error of the node at `path` in which `problem` is nested.
std::exception_ptr node_error_of(const std::string& path, const std::exception_ptr& problem) noexcept;

/// Of a node in another group of the cluster, or of that group as a whole. Its text has come here,
/// not its object, so what is nested in it is a `std::runtime_error` with the text of `what()`.
class group_error : public node_error {
 public:
  /// @param path empty: it is about the group
  group_error(std::string group, const std::string& path, const std::string& problem);
  group_error(const group_error&) = default;
  group_error& operator=(const group_error&) = default;
  ~group_error() override;

  const std::string& group() const noexcept { return group_; }

 private:
  std::string group_;
};

/// Thrown out of `send` when the network is being cancelled or the item's consumer has ended: there
/// is no point in going on. Deliberately not a `std::exception`, so that a node's own handlers let
/// it pass; a node need not catch it.
class stopped {};

}  // namespace weir
