// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The jobs of the cookbook with threads, and queues between them.

#include "before.hpp"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <fstream>
#include <future>
#include <iostream>
#include <iterator>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

// A queue between threads, with room for `size` items.
template <class T>
class queue {
 public:
  explicit queue(std::size_t size) : size_(size) {}

  bool try_push(T& item) {
    const std::lock_guard locked(lock_);
    if (items_.size() == size_) return false;
    items_.push_back(std::move(item));
    changed_.notify_all();
    return true;
  }
  void push(T item) {
    std::unique_lock locked(lock_);
    changed_.wait(locked, [&] { return items_.size() < size_; });
    items_.push_back(std::move(item));
    changed_.notify_all();
  }
  // Empty at the end.
  std::optional<T> pop() {
    std::unique_lock locked(lock_);
    changed_.wait(locked, [&] { return !items_.empty() || closed_; });
    if (items_.empty()) return std::nullopt;
    T item = std::move(items_.front());
    items_.pop_front();
    changed_.notify_all();
    return item;
  }
  void close() {
    const std::lock_guard locked(lock_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::size_t size_;
  bool closed_ = false;
  std::deque<T> items_{};
  std::mutex lock_{};
  std::condition_variable changed_{};
};

namespace {

std::string denoised(const std::string& noisy, std::size_t width, std::size_t height) {
  std::string made = noisy;
  for (std::size_t y = 1; y + 1 < height; ++y) {
    for (std::size_t x = 1; x + 1 < width; ++x) {
      std::vector<unsigned char> near;
      for (std::size_t at : {(y - 1) * width + x, y * width + x, (y + 1) * width + x}) {
        near.insert(near.end(), &noisy[at - 1], &noisy[at - 1] + 3);
      }
      std::ranges::sort(near);
      made[y * width + x] = static_cast<char>(near[4]);
    }
  }
  return made;
}

volatile std::sig_atomic_t interrupted = 0;

}  // namespace

// Three threads. There is one thread that removes noise: with more of them, frames would overtake
// each other, and the writer had to put them in order.
void video(std::istream& in, const std::string& output) {
  std::string header, line;
  std::getline(in, header);
  const std::size_t width = std::stoul(header.substr(header.find('W') + 1));
  const std::size_t height = std::stoul(header.substr(header.find('H') + 1));
  queue<std::string> noisy(2), clean(2);
  std::thread denoise([&] {
    while (auto frame = noisy.pop()) clean.push(denoised(*frame, width, height));
    clean.close();
  });
  std::thread write([&] {
    std::ofstream out(output, std::ios::binary);
    out << header << '\n';
    while (const auto frame = clean.pop()) out << "FRAME\n" << *frame;
  });
  std::signal(SIGINT, [](int) { interrupted = 1; });
  while (interrupted == 0 && std::getline(in, line)) {
    std::string frame(width * height * 3 / 2, '\0');
    in.read(frame.data(), static_cast<std::streamsize>(frame.size()));
    noisy.push(std::move(frame));
  }
  noisy.close();
  denoise.join();
  write.join();
}

namespace {

std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      table[i][j] = i == 0 || j == 0 ? i + j
                                     : std::min({table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1),
                                                 table[i - 1][j] + 1, table[i][j - 1] + 1});
    }
  }
  return table.back().back();
}

}  // namespace

// A pool of threads that takes jobs, each with a promise for its answer.
class pool {
 public:
  using job = std::packaged_task<std::string()>;

  pool() {
    for (unsigned i = 0; i != std::max(1U, std::thread::hardware_concurrency()); ++i) {
      threads_.emplace_back([this] {
        while (auto next = jobs_.pop()) (*next)();
      });
    }
  }
  ~pool() { jobs_.close(); }
  std::future<std::string> request(std::function<std::string()> what) {
    job made(std::move(what));
    auto answer = made.get_future();
    jobs_.push(std::move(made));
    return answer;
  }

 private:
  queue<job> jobs_{100};
  std::vector<std::jthread> threads_{};
};

void spelling(const std::string& path, std::istream& in) {
  std::ifstream file(path);
  const std::vector<std::string> dictionary(std::istream_iterator<std::string>(file), {});
  pool workers;
  std::vector<std::future<std::string>> answers;
  for (std::string word; in >> word;) {
    answers.push_back(workers.request([&dictionary, word] {
      return *std::ranges::min_element(dictionary, {}, [&](const std::string& each) { return distance(word, each); });
    }));
  }
  for (auto& each : answers) std::cout << each.get() << '\n';
}
