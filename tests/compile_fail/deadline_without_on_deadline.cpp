// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The name of the hook is misspelt, so it would never be called.
// expect: weir: deadline() says when on_deadline() is due, and this node has no on_deadline(); add one, or rename deadline()
#include <weir/weir.hpp>

#include <chrono>

struct flusher {
  long process(long item) { return item; }
  std::chrono::steady_clock::time_point deadline() { return std::chrono::steady_clock::time_point::max(); }
#ifdef CONTROL
  void on_deadline() {}
#else
  void on_dedline() {}
#endif
};

int main() { static_cast<void>(weir::node(flusher{})); }
