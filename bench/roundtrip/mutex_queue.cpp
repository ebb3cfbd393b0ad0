// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../queues/mutex_queue.hpp"

#include "round_trip.hpp"

namespace {

class blocking_link {
 public:
  static constexpr const char* name = weir_bench::mutex_queue::name;

  void send(std::int64_t item) { queue_.push(item); }
  std::int64_t receive() { return queue_.pop(); }

 private:
  weir_bench::mutex_queue queue_{1024};
};

}  // namespace

int main(int argc, char** argv) { return weir_bench::round_trip<blocking_link>(argc, argv); }
