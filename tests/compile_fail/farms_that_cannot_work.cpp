// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The type of the key is named above the message.
// expect: weir: the item types can't be deduced (process is missing, private, overloaded, or a template)
// expect: hashed_key<colour>
// expect: weir: a key is of a type that std::hash accepts, and this one (named above) is not
#include <weir/weir.hpp>

struct worker {
#ifdef CONTROL
  int process(int item) { return item; }
#else
  int proces(int item) { return item; }
#endif
};

struct colour {
  int number;
};

int main() {
#ifdef CONTROL
  const auto key = &colour::number;
#else
  const auto key = [](colour item) { return item; };
#endif
  static_cast<void>(weir::farm(worker{}, 2));
  static_cast<void>(weir::farm([](colour item) { return item; }, 2).by_key(key));
}
