// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The jobs of the cookbook as loops, some of them for OpenMP. before.cpp calls these functions.

#include "before.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// One loop; the windows that are open are in a map.
void window_averages(std::istream& in) {
  std::map<std::pair<long, std::string>, std::pair<long, long>> open;  // begin and service; sum and count
  const auto print_until = [&](long watermark) {
    while (!open.empty() && open.begin()->first.first + 60 <= watermark) {
      const auto& [window, all] = *open.begin();
      std::cout << window.first << ' ' << window.second << ' ' << all.second << ' '
                << static_cast<double>(all.first) / static_cast<double>(all.second) << '\n';
      open.erase(open.begin());
    }
  };
  long at = 0, micros = 0, latest = 0;
  for (std::string service; in >> at >> service >> micros;) {
    for (long begin = at / 20 * 20; begin > at - 60; begin -= 20) {
      auto& [sum, count] = open[{begin, service}];
      sum += micros;
      ++count;
    }
    latest = std::max(latest, at);
    print_until(latest - 10);
  }
  print_until(latest + 120);
}

// A parallel loop over the rows of a picture that is in memory.
void blur_rows(const std::string& from, std::string& to, long width, long height, long pixel) {
  constexpr unsigned weights[]{1, 4, 6, 4, 1};
#pragma omp parallel for
  for (long y = 0; y < height; ++y) {
    for (long x = 0; x < width; ++x) {
      for (long c = 0; c != pixel; ++c) {
        unsigned sum = 128;
        for (long j = -2; j <= 2; ++j) {
          for (long i = -2; i <= 2; ++i) {
            const long row = std::clamp(y + j, 0L, height - 1), column = std::clamp(x + i, 0L, width - 1);
            sum +=
                weights[j + 2] * weights[i + 2] * static_cast<unsigned char>(from[(row * width + column) * pixel + c]);
          }
        }
        to[(y * width + x) * pixel + c] = static_cast<char>(sum / 256);
      }
    }
  }
}

void image_blur(std::istream& in) {
  std::string magic, line;
  long width = 0, height = 0, most = 0;
  in >> magic;
  while (in >> std::ws && in.peek() == '#') std::getline(in, line);
  in >> width >> height >> most;
  in.get();
  const std::string pixels(std::istreambuf_iterator<char>(in), {});
  std::string blurred(pixels.size(), '\0');
  blur_rows(pixels, blurred, width, height, magic == "P5" ? 1 : 3);
  std::cout << magic << '\n' << width << ' ' << height << "\n255\n" << blurred;
}

// Tasks of OpenMP for the first rows, then a loop.
std::uint64_t queens(int size, int rows, std::uint32_t columns, std::uint32_t left, std::uint32_t right) {
  if (rows == size) return 1;
  std::uint64_t sum = 0;
  for (std::uint32_t open = ~(columns | left | right) & ((1U << size) - 1); open != 0; open &= open - 1) {
    const std::uint32_t queen = open & (~open + 1);
#pragma omp task shared(sum) if (rows < 3)
    {
      const std::uint64_t found = queens(size, rows + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
#pragma omp atomic
      sum += found;
    }
  }
#pragma omp taskwait
  return sum;
}

void n_queens(int size) {
  std::uint64_t solutions = 0;
#pragma omp parallel
#pragma omp single
  solutions = queens(size, 0, 0, 0, 0);
  std::cout << solutions << '\n';
}

// A queue of vertices.
void breadth_first(std::istream& in) {
  std::vector<std::vector<int>> neighbours(1);
  for (int from = 0, to = 0; in >> from >> to;) {
    neighbours.resize(std::max({neighbours.size(), from + std::size_t{1}, to + std::size_t{1}}));
    neighbours[from].push_back(to);
    neighbours[to].push_back(from);
  }
  std::vector<int> distances(neighbours.size(), -1);
  distances[0] = 0;
  std::queue<int> waiting({0});
  for (; !waiting.empty(); waiting.pop()) {
    for (const int next : neighbours[waiting.front()]) {
      if (distances[next] >= 0) continue;
      distances[next] = distances[waiting.front()] + 1;
      waiting.push(next);
    }
  }
  for (std::size_t v = 0; v != distances.size(); ++v) std::cout << v << ' ' << distances[v] << '\n';
}

// A loop over all places of a sequence, and one table for all words.
void count_words(std::string& sequence, std::size_t k, std::unordered_map<std::string, std::uint64_t>& counts) {
  for (std::size_t at = 0; at + k <= sequence.size(); ++at) {
    const std::string word = sequence.substr(at, k);
    if (word.find_first_not_of("ACGT") != std::string::npos) continue;
    std::string other(word.rbegin(), word.rend());
    for (char& c : other) c = "TGCA"[std::string("ACGT").find(c)];
    ++counts[std::min(word, other)];
  }
  sequence.clear();
}

void kmers(std::istream& in, std::size_t k) {
  std::string sequence;
  std::unordered_map<std::string, std::uint64_t> counts;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('>')) {
      count_words(sequence, k, counts);
    } else {
      for (const char c : line.substr(0, line.find('\r'))) sequence += static_cast<char>(c & ~0x20);
    }
  }
  count_words(sequence, k, counts);
  for (const auto& [word, count] : counts) std::cout << word << ' ' << count << '\n';
}
