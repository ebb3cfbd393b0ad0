// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: evolve takes an Individual&, and perhaps a weir::random_engine&
#include <weir/patterns/evolve.hpp>
#include <weir/weir.hpp>

#include <string>
#include <vector>

int main() {
  std::vector<std::string> population(3);
  const auto select = [](const std::vector<std::string>& all) { return all; };
  const auto filter = [](std::vector<std::string>&, std::vector<std::string>&) {};
  const auto terminate = [](const std::vector<std::string>&, std::size_t generation) { return generation == 3; };
#ifdef CONTROL
  weir::evolve(
      population, select, [](std::string& each) { each += "x"; }, filter, terminate);
#else
  weir::evolve(
      population, select, [](int& each) { ++each; }, filter, terminate);
#endif
}
