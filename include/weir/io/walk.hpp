// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/export.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <vector>

namespace weir {

/// Encodes the bytes of the path as a string.
template <>
struct codec<std::filesystem::path> {
  static void encode(const std::filesystem::path& item, byte_sink& out) {
    codec<std::string>::encode(item.native(), out);
  }
  static std::filesystem::path decode(byte_source& in) { return {codec<std::string>::decode(in)}; }
};

/// Options of `walk`.
struct walk_options {
  /// Whether links inside the directories are followed: to files, and into directories, each of
  /// which is entered once.
  bool follow_links = false;
  /// Whether the entries of each directory are sent in the order of their names. Otherwise they are
  /// sent in the order in which the system lists them.
  bool sorted = false;
  /// Called with each path that can't be listed or examined; the path is then left out. Empty: such
  /// a path is a `node_error`.
  std::function<void(const std::filesystem::path& path, const std::error_code& problem)> on_error = {};
};

/// A source of the paths of all regular files in a directory and below it, each beginning with
/// `root`. If the root is a regular file, it is the only path; if it is a link, it is followed.
/// Only directories are opened, in the order in which they are found.
WEIR_API block<void, std::filesystem::path> walk(std::filesystem::path root, walk_options options = {});
WEIR_API block<void, std::filesystem::path> walk(std::vector<std::filesystem::path> roots, walk_options options = {});

}  // namespace weir
