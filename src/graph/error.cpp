// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/error.hpp"

#include <utility>

namespace weir {
namespace {

// Returns a nested exception with this text. An error must nest one, because rethrowing a nested
// exception that is missing ends the program.
std::nested_exception holding(const std::string& text) {
  try {
    throw std::runtime_error(text);
  } catch (const std::runtime_error&) {
    return {};
  }
}

}  // namespace

graph_error::graph_error(std::string path, const std::string& problem)
    : std::invalid_argument(path + ": " + problem), path_(std::move(path)) {}
graph_error::~graph_error() = default;

node_error::node_error(std::string path, const std::string& problem)
    : std::runtime_error(path + ": " + problem),
      std::nested_exception(std::current_exception() != nullptr ? std::nested_exception() : holding(problem)),
      path_(std::move(path)) {}
node_error::node_error(std::string path, const std::string& who, const std::string& problem)
    : std::runtime_error(who + ": " + problem),
      std::nested_exception(holding(who + ": " + problem)),
      path_(std::move(path)) {}
node_error::~node_error() = default;

std::string message_of(const std::exception_ptr& problem) {
  try {
    std::rethrow_exception(problem);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

std::exception_ptr node_error_of(const std::string& path, const std::exception_ptr& problem) noexcept {
  try {
    const std::string text = message_of(problem);
    try {
      std::rethrow_exception(problem);
    } catch (...) {
      throw node_error(path, text);  // nests the exception being handled
    }
  } catch (...) {
    return std::current_exception();
  }
}

group_error::group_error(std::string group, const std::string& path, const std::string& problem)
    : node_error(path, path.empty() ? "group " + group : path + " (group " + group + ")", problem),
      group_(std::move(group)) {}
group_error::~group_error() = default;

}  // namespace weir
