// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace weir {

/// A graph that can't work, found before anything starts. `what()` is one line: the node's path, what is wrong, and what
/// to do about it.
class graph_error : public std::invalid_argument {
 public:
  graph_error(std::string path, const std::string& problem)
      : std::invalid_argument(path + ": " + problem), path_(std::move(path)) {}

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// An exception that left a node, thrown out of `run`. The original is nested in it (`std::rethrow_if_nested`), and its
/// text is part of `what()`.
class node_error : public std::runtime_error, public std::nested_exception {
 public:
  /// Nests the exception being handled, or, if there is none, a `std::runtime_error` with this text.
  node_error(std::string path, const std::string& problem)
      : std::runtime_error(path + ": " + problem),
        std::nested_exception(std::current_exception() != nullptr ? std::nested_exception() : holding(problem)),
        path_(std::move(path)) {}

  const std::string& path() const noexcept { return path_; }

 protected:
  node_error(std::string path, const std::string& who, const std::string& problem)
      : std::runtime_error(who + ": " + problem),
        std::nested_exception(holding(who + ": " + problem)),
        path_(std::move(path)) {}

 private:
  // Rethrowing what is nested ends the program where there is nothing.
  static std::nested_exception holding(const std::string& text) {
    try {
      throw std::runtime_error(text);
    } catch (const std::runtime_error&) {
      return {};
    }
  }

  std::string path_;
};

/// Of a node in another group of the cluster, or of that group as a whole. Its text has come here, not its object, so what is
/// nested in it is a `std::runtime_error` with the text of `what()`.
class group_error : public node_error {
 public:
  /// @param path empty: it is about the group
  group_error(std::string group, const std::string& path, const std::string& problem)
      : node_error(path, path.empty() ? "group " + group : path + " (group " + group + ")", problem),
        group_(std::move(group)) {}

  const std::string& group() const noexcept { return group_; }

 private:
  std::string group_;
};

/// Thrown out of `send` when the network is being cancelled or the item's consumer has ended: there is no point in going
/// on. Deliberately not a `std::exception`, so that a node's own handlers let it pass; a node need not catch it.
class stopped {};

}  // namespace weir
