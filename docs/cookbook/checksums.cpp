// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The SHA-256 of all files below a folder, as sha256sum prints it. Files are items that can't be
// copied; with a codec, they also go from one process to another.

#include <weir/io/walk.hpp>
#include <weir/item/bytes.hpp>
#include <weir/weir.hpp>

#include <openssl/evp.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

struct file {
  std::string path{};
  std::size_t size = 0;
  std::unique_ptr<char[]> bytes{};  // one owner: whoever has the item
};

// Lets weir know how much memory an item owns, so that few large files wait in a channel.
std::size_t owned_bytes(const file& item) noexcept { return item.size; }

template <>
struct weir::codec<file> {
  static void encode(const file& item, weir::byte_sink& out) {
    codec<std::string>::encode(item.path, out);
    weir::append(out, item.size);
    out.append(item.bytes.get(), item.size);
  }
  static file decode(weir::byte_source& in) {
    file item{.path = codec<std::string>::decode(in)};
    in.read(item.size);
    const auto bytes = in.take(item.size);  // throws if there are fewer
    item.bytes = std::make_unique_for_overwrite<char[]>(item.size);
    std::memcpy(item.bytes.get(), bytes.data(), item.size);
    return item;
  }
};

namespace {

file load(const std::filesystem::path& path) {
  file made{path.string(), std::filesystem::file_size(path)};
  made.bytes = std::make_unique_for_overwrite<char[]>(made.size);
  if (!std::ifstream(path, std::ios::binary).read(made.bytes.get(), static_cast<std::streamsize>(made.size))) {
    throw std::runtime_error(made.path + ": can't be read");
  }
  return made;
}

std::string digest(file whole) {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned count = 0;
  if (EVP_Digest(whole.bytes.get(), whole.size, bytes, &count, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error(whole.path + ": has no digest");
  }
  std::string text;
  for (unsigned i = 0; i != count; ++i) {
    text += "0123456789abcdef"[bytes[i] / 16];
    text += "0123456789abcdef"[bytes[i] % 16];
  }
  return text + "  " + whole.path;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: checksums FOLDER\n";
    return 2;
  }
  try {
    weir::network net = weir::walk(argv[1], {.sorted = true}).named("walk") | weir::node(&load).named("read") |
                        weir::farm(&digest).ordered().named("digest") |
                        weir::sink([](const std::string& line) { std::cout << line << '\n'; }).named("print");
    weir::run(net);
    if (!std::cout.flush()) throw std::runtime_error("can't write standard output");
  } catch (const std::exception& error) {
    std::cerr << "checksums: " << error.what() << '\n';
    return 1;
  }
}
