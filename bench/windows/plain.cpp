// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "readings.hpp"

#include <unordered_map>
#include <vector>

using namespace weir_bench;

namespace {

// The last values of one sensor, whose sum is updated by subtracting the value that leaves.
struct window {
  std::vector<std::int32_t> values;
  std::int64_t sum = 0;
  std::size_t count = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const options given = windows_options(argc, argv);
  const auto size = static_cast<std::size_t>(given["size"]);
  const auto slide = static_cast<std::size_t>(given["slide"]);
  const auto sensors = static_cast<std::uint32_t>(given["sensors"]);
  checksum all;
  const stopwatch watch;
  std::unordered_map<std::uint32_t, window> windows;
  for (std::int64_t i = 0; i != given["items"]; ++i) {
    const reading item = reading_of(i, sensors);
    window& of = windows[item.sensor];
    if (of.values.empty()) of.values.resize(size);
    std::int32_t& place = of.values[of.count++ % size];
    of.sum += item.value - place;
    place = item.value;
    if (of.count >= size && (of.count - size) % slide == 0) all.add(item.sensor, of.sum);
  }
  print_result("windows", "plain", given["items"], watch.elapsed(), {{"result", all.result()}});
}
