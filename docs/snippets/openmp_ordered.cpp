// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// needs: openmp
// test:
// test-output: A WEIR REGULATES THE FLOW OF A STREAM .A WEIR REGULATES THE FLOW OF A STREAM .$

// Words are read one after the other, changed in parallel, and written in the order in which they
// were read: by tasks of OpenMP, and by a pipeline of weir.

#include <weir/weir.hpp>

#include <cctype>
#include <iostream>
#include <list>
#include <optional>
#include <sstream>
#include <string>

std::string upper(std::string word) {
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return word;
}

void by_openmp(std::istream& in) {
  std::list<std::string> words;  // all of them: their number has no limit
#pragma omp parallel
#pragma omp single
  for (std::string word; in >> word;) {
    std::string* const each = &words.emplace_back(word);
#pragma omp task depend(out : *each) firstprivate(each)
    *each = upper(*each);
#pragma omp task depend(in : *each) depend(inout : words) firstprivate(each)
    std::cout << *each << ' ';
  }
}

void by_weir(std::istream& in) {
  auto read = weir::source([&]() -> std::optional<std::string> {
    std::string word;
    if (!(in >> word)) return std::nullopt;
    return word;
  });
  auto write = weir::sink([](std::string word) { std::cout << word << ' '; });
  weir::run(read | weir::farm(&upper).ordered() | write);
}

int main() {
  const std::string text = "a weir regulates the flow of a stream";
  std::istringstream one(text);
  std::istringstream other(text);
  by_openmp(one);
  std::cout << '\n';
  by_weir(other);
  std::cout << '\n';
}
