// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// `on_deadline` would never be called.
// expect: weir: a node with on_deadline says by deadline() when that is due, as a
#include <weir/weir.hpp>

#include <chrono>

struct flusher {
  long process(long item) { return item; }
  void on_deadline() {}
#ifdef CONTROL
  std::chrono::steady_clock::time_point deadline() { return std::chrono::steady_clock::time_point::max(); }
#else
  std::chrono::system_clock::time_point deadline() { return std::chrono::system_clock::time_point::max(); }
#endif
};

int main() { static_cast<void>(weir::node(flusher{})); }
