// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/passes/cut.hpp"
#include "weir/weir.hpp"

#include "local_links.hpp"

#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace codec_seen {

/// An item that only cereal can encode.
struct reading {
  std::string name;
  std::vector<long> values;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, values);
  }
};

/// Sends three readings from one group to another.
/// @return what arrives, or what the refusal says
/// @tparam File the file that calls it, so that each has a function of its own; or void
template <class File>
std::string sent_between_groups() {
  const auto make = [next = 0L]() mutable -> std::optional<reading> {
    if (next == 3) return std::nullopt;
    ++next;
    return reading{"of " + std::to_string(next), {next, next * next}};
  };
  std::string seen;
  const auto take = [&seen](reading item) { seen += item.name + ": " + std::to_string(item.values.at(1)) + "; "; };
  weir::network whole = weir::source(make).in_group("left") | weir::sink(take).in_group("right");
  try {
    const weir::graph& g = whole.resolve(1);
    weir_test::local_links links;
    const auto link = [&](const weir::detail::remote_end& end) { return links.make(end); };
    weir::network left(weir::detail::cut(g, "left", link));
    weir::network right(weir::detail::cut(g, "right", link));
    std::thread other([&] { weir::run(left); });
    weir::run(right);
    other.join();
  } catch (const weir::graph_error& problem) {
    return problem.what();
  }
  return seen;
}

// Defined in the two files. The first function of each is the file's own; the second is one
// function, of which the program keeps that of either file.
std::string sent_by_the_file_with_codecs();
std::string sent_by_the_file_with_codecs_in_shared_code();
std::string sent_by_the_file_without_codecs();
std::string sent_by_the_file_without_codecs_in_shared_code();

}  // namespace codec_seen
