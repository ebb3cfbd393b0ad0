// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search_items.hpp"
#include "search_network.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace swsearch {

/// Collects the parts of each query and prints the queries in their order. Parts of later queries
/// may arrive before the last part of an earlier query. The last node of a search.
class hit_writer {
 public:
  /// @param setup, totals outlive this object
  hit_writer(const search_setup& setup, search_totals& totals, take_text take)
      : setup_(&setup), totals_(&totals), take_(std::move(take)) {}

  void process(share_of_query part);

 private:
  struct of_query {
    std::string heading;
    std::vector<printed_hit> hits;
    std::uint64_t query_residues = 0;
    std::vector<std::uint32_t> left;  // missing parts of each share that has begun
    std::vector<bool> share_has_come;
    std::size_t shares = 0;

    bool is_complete(std::size_t of) const;
  };

  void print(of_query& of);

  const search_setup* setup_;
  search_totals* totals_;
  take_text take_;
  std::deque<of_query> waiting_;
  std::uint64_t next_ = 0;  // number of the next query
  std::size_t begun_ = 0;   // number of shares that have begun
  std::vector<printed_hit> subjects_;
};

}  // namespace swsearch
