// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Counts the k-mers of DNA in FASTA files: all words of K letters, where a word and its reverse
// complement are the same. The files may be compressed.

#include <weir/io/lines.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using word = std::uint64_t;  // two bits for each letter

constexpr std::string_view letters = "ACGT";

// Joins the lines of a sequence to pieces, which overlap so that each word is in one of them.
struct pieces {
  std::size_t k;
  std::string held{};

  void process(const std::string& line, weir::outlet<std::string>& out) {
    if (line.starts_with('>')) return finish(out);
    held.append(line, 0, line.find('\r'));  // which some systems put at the end of a line
    if (held.size() < 16 * 1024) return;
    out.send(held);
    held.erase(0, held.size() - (k - 1));
  }
  void finish(weir::outlet<std::string>& out) {
    if (held.size() >= k) out.send(std::move(held));
    held.clear();
  }
};

// Sends each word of a piece, in the direction in which it comes first in the alphabet.
struct cut {
  std::size_t k;

  void process(const std::string& piece, weir::outlet<word>& out) const {
    const word mask = (word{1} << 2 * k) - 1;
    word forwards = 0, backwards = 0;
    std::size_t length = 0;
    for (const char c : piece) {
      const word code = letters.find(static_cast<char>(c & ~0x20));  // upper case
      if (code == std::string_view::npos) {                          // an N, for example
        length = 0;
        continue;
      }
      forwards = (forwards << 2 | code) & mask;
      backwards = backwards >> 2 | (3 - code) << 2 * (k - 1);
      if (++length >= k) out.send(std::min(forwards, backwards));
    }
  }
};

struct counter {
  std::unordered_map<word, std::uint64_t> counts{};

  void process(word w, weir::outlet<std::pair<word, std::uint64_t>>&) { ++counts[w]; }
  void finish(weir::outlet<std::pair<word, std::uint64_t>>& out) {
    for (const auto& each : counts) out.send(each);
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::size_t k = 0;
  const std::string_view number = argc > 2 ? argv[1] : "";
  if (std::from_chars(number.begin(), number.end(), k).ptr != number.end() || k < 1 || k > 31) {
    std::cerr << "usage: kmers K FILE..., with K from 1 to 31\n";
    return 2;
  }
  try {
    weir::network net = weir::lines(std::vector<std::string>(argv + 2, argv + argc)).named("read") |
                        weir::node(pieces{k}).named("pieces") | weir::farm(cut{k}).named("cut") |
                        weir::farm(counter{}).by_key(std::hash<word>{}).named("count") |
                        weir::sink([k](const std::pair<word, std::uint64_t>& each) {
                          std::string text(k, ' ');
                          for (std::size_t i = 0; i != k; ++i) text[k - 1 - i] = letters[each.first >> 2 * i & 3];
                          std::cout << text << ' ' << each.second << '\n';
                        }).named("print");
    weir::run(net);
    if (!std::cout.flush()) throw std::runtime_error("can't write standard output");
  } catch (const std::exception& error) {
    std::cerr << "kmers: " << error.what() << '\n';
    return 1;
  }
}
