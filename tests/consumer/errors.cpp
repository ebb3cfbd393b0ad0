// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

#include "errors.hpp"

#include <weir/cluster/configuration.hpp>
#include <weir/item/bytes.hpp>
#include <weir/item/codec.hpp>
#include <weir/weir.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

namespace {

struct own_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct fails {
  int process(int item) {
    if (item == 3) throw own_error("three");
    return item;
  }
};

// An exception of this program goes through the library, and comes back within one of the
// library's.
bool node_error_is_caught() {
  try {
    weir::run(weir::source([next = 0]() mutable { return std::optional(next++); }) | fails() | weir::sink([](int) {}));
  } catch (const weir::node_error& problem) {
    try {
      problem.rethrow_nested();
    } catch (const own_error& own) {
      return own.what() == std::string("three");
    }
  }
  return false;
}

template <class Error, class F>
bool throws(F f) {
  try {
    f();
  } catch (const Error&) {
    return true;
  } catch (...) {
  }
  return false;
}

}  // namespace

bool errors_cross_the_library() {
  return node_error_is_caught() && throws<weir::graph_error>([] {
           weir::run(weir::source([] { return std::optional<int>(); }) | weir::farm(fails(), 0) |
                     weir::sink([](int) {}));
         }) &&
         throws<weir::configuration_error>([] { weir::configuration_from_json("{", "file"); }) &&
         throws<weir::codec_error>([] {
           weir::byte_source empty{std::span<const std::byte>()};
           weir::codec<long>::decode(empty);
         });
}
