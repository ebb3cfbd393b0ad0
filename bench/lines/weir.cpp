// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/io/chunks.hpp>
#include <weir/io/lines.hpp>
#include <weir/item/buffer.hpp>
#include <weir/weir.hpp>

#include "text_file.hpp"

#include <cstring>

using namespace weir_bench;

// --how: 0 lines; 1 lines by a node with a thread of its own; 2 chunks of whole lines, which the
// sink cuts up; 3 raw chunks, whose bytes are only counted.
int main(int argc, char** argv) {
  return lines_main(argc, argv, "weir", [](const std::string& path, const options& given) {
    std::int64_t bytes = 0;
    const auto count = weir::sink([&](std::string line) { bytes += static_cast<std::int64_t>(line.size()); });
    switch (given["how"]) {
      case 1: weir::run(weir::lines(path).on_own_thread() | count); break;
      case 2:
        weir::run(weir::line_chunks(path) | weir::sink([&](weir::buffer chunk) {
                    std::string_view rest = chunk.text();
                    while (!rest.empty()) {
                      const auto* end = static_cast<const char*>(std::memchr(rest.data(), '\n', rest.size()));
                      const auto size = static_cast<std::size_t>(end - rest.data());
                      bytes += static_cast<std::int64_t>(size);
                      rest.remove_prefix(size + 1);
                    }
                  }));
        break;
      case 3:
        weir::run(weir::chunks(path) |
                  weir::sink([&](weir::buffer chunk) { bytes += static_cast<std::int64_t>(chunk.size()); }));
        bytes -= given["items"];
        break;
      default: weir::run(weir::lines(path) | count); break;
    }
    return bytes;
  });
}
