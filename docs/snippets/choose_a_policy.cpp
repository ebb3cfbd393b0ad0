// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test: by_key
// test-output: /serve.2.

// Sends the same requests to three workers by the policy that the argument names, and prints the
// report. Three of four requests are of one customer.

#include <weir/weir.hpp>

#include <iostream>
#include <map>
#include <optional>
#include <string>

namespace {

struct request {
  int customer;
  int work;
};

// Counts the requests of each customer. Each worker has counts of its own.
struct server {
  std::map<int, int> seen{};
  int process(request each) {
    unsigned n = 1;
    for (int i = 0; i != each.work; ++i) n = n * 1664525U + 1013904223U;
    return n == 0 ? 0 : ++seen[each.customer];
  }
};

}  // namespace

int main(int argc, char** argv) {
  const std::string policy = argc > 1 ? argv[1] : "none";
  auto requests = weir::source([next = 0]() mutable -> std::optional<request> {
    if (next == 20'000) return std::nullopt;
    const int n = next++;
    return request{n % 4 == 0 ? n : 0, 5'000};
  });
  auto serve = weir::farm(server{}, 3);
  if (policy == "by_key") serve = serve.by_key(&request::customer);
  if (policy == "on_demand") serve = serve.on_demand(2);
  if (policy == "round_robin") serve = serve.round_robin();
  int answers = 0;
  auto answer = weir::sink([&](int) { ++answers; });
  weir::network net = requests.named("requests") | serve.named("serve") | answer.named("answer");
  std::cout << weir::run(net);
}
