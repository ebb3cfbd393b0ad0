// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The items in the network of a search. Items that enter or leave a share have a codec.

#include <weir/item/cereal.hpp>

#include "database.hpp"
#include "search.hpp"

#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace swsearch {

/// Consecutive queries.
struct query_batch {
  std::uint64_t first = 0;  ///< number of the first query
  std::vector<sequence> queries;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(first, queries);
  }
};

/// Sequences of one share of the database.
struct subject_batch {
  std::vector<sequence> subjects;
  bool is_last = false;
  database_size whole;  ///< size of the whole database; valid only in the last batch

  template <class Archive>
  void serialize(Archive& archive) {
    archive(subjects, is_last, whole.sequences, whole.residues);
  }
};

/// A part of the search: the queries from `first_query` to before `last_query` against some
/// batches.
struct task {
  std::shared_ptr<const database> subjects;
  std::shared_ptr<const query_batch> queries;
  std::uint32_t share = 0;
  std::uint32_t first_query = 0;
  std::uint32_t last_query = 0;
  std::uint32_t first_batch = 0;
  std::uint32_t last_batch = 0;
  std::uint32_t parts = 1;  ///< number of tasks for these queries
};

/// The result of a task.
struct scored_task {
  task of;
  std::vector<std::vector<hit>> hits;  ///< for each query
};

/// Some of the hits that one query has in this share.
struct hits_of_query {
  std::shared_ptr<const database> subjects;
  std::shared_ptr<const query_batch> queries;
  std::uint32_t share = 0;
  std::uint32_t query = 0;
  std::uint32_t parts = 1;
  bool is_first = false;  ///< whether this is the first part
  bool begins = false;    ///< whether the share has sent nothing before
  std::vector<hit> hits;

  std::uint64_t number() const { return queries->first + query; }
  const sequence& sequence_of_query() const { return queries->queries[query]; }
};

/// A hit to be printed, or a line about a sequence of the database. Entries without text are left
/// out.
struct printed_hit {
  double e_value = 0;  ///< the e-value of the hit
  std::int64_t score = 0;
  std::uint64_t number = 0;  ///< number in the whole database
  std::string text;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(e_value, score, number, text);
  }
};

/// A part of the output of one share for a query.
struct share_of_query {
  std::uint64_t query = 0;
  std::uint32_t share = 0;
  std::uint32_t parts = 1;
  bool begins = false;
  std::uint64_t query_residues = 0;
  database_size whole;
  std::string heading;
  std::vector<printed_hit> subjects;
  std::vector<printed_hit> hits;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(query, share, parts, begins, query_residues, whole.sequences, whole.residues, heading, subjects, hits);
  }
};

}  // namespace swsearch
