// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <vector>

namespace weir {

/// The bytes of its name, as those of a string.
template <>
struct codec<std::filesystem::path> {
  static void encode(const std::filesystem::path& item, byte_sink& out) {
    codec<std::string>::encode(item.native(), out);
  }
  static std::filesystem::path decode(byte_source& in) { return {codec<std::string>::decode(in)}; }
};

struct walk_options {
  /// Whether links inside are followed: to files, and into directories, each of which is entered
  /// once.
  bool follow_links = false;
  /// Whether the entries of each directory come in the order of their names; otherwise as the
  /// system lists them.
  bool sorted = false;
  /// Called with what can't be listed or looked at, which is then left out. Empty: a `node_error`
  /// instead.
  std::function<void(const std::filesystem::path& path, const std::error_code& problem)> on_error = {};
};

/// A source of the paths of all regular files in a directory and below it, each beginning with
/// `root`. A root that is a regular file is the only one; a root that is a link is followed.
/// Nothing is opened but directories, in the order in which they are found.
block<void, std::filesystem::path> walk(std::filesystem::path root, walk_options options = {});
block<void, std::filesystem::path> walk(std::vector<std::filesystem::path> roots, walk_options options = {});

}  // namespace weir
