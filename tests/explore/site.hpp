// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

namespace explore {

/// The operations of a thread at a scheduling point.
enum class op_kind : std::uint8_t {
  start,
  load,
  store,
  update,   ///< exchange, fetch_add, ...
  compare,  ///< compare_exchange
  fence,    ///< full, or with a given order
  fence_light,
  fence_heavy,
  park,
  unpark,
  lock,
  unlock,
  wait,   ///< on a futex: compares the word
  sleep,  ///< on a futex: goes on once it is woken
  wake,   ///< on a futex
  yield,
  await,  ///< goes on once a location for which it waits was written
  join,
};

/// A place in the source whose strength can be varied.
struct access_site {
  /// The aspects of one place in the source that can be varied.
  enum class part : std::uint8_t { order, failure_order, fence_light, fence_heavy, lock, keep };

  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  part what = part::order;
  op_kind kind = op_kind::load;
  std::memory_order order = std::memory_order_relaxed;  ///< as written in the source
  std::string name;                                     ///< for a keep site

  std::string text() const;                ///< "file.hpp:12:34 load(acquire)"
  std::string text_without_place() const;  ///< "file.hpp load(acquire)", which edits of the file do not change
  bool same_place(const access_site& other) const noexcept {
    return line == other.line && column == other.column && what == other.what && file == other.file;
  }
  bool is(const std::source_location& where, part of) const noexcept {
    return line == where.line() && column == where.column() && what == of && file == where.file_name();
  }
};

/// One site made weaker.
struct mutation {
  /// The change of an order, or of a fence.
  enum class change : std::uint8_t {
    weaken,  ///< to `order`
    drop,    ///< the fence is not executed; the mutex is not locked; the re-check is not made
    full,    ///< a heavy fence reaches only its own thread
  };

  access_site site;
  change how = change::weaken;
  std::memory_order order = std::memory_order_relaxed;

  std::string text() const;  ///< the text of the site, and the change
  std::string text_without_place() const;
};

/// Returns the next weaker forms of a site; none if it can't be weaker.
std::vector<mutation> weaker(const access_site& site);
/// Returns the next weaker forms of a mutation.
std::vector<mutation> weaker(const mutation& of);

const char* name_of(std::memory_order order) noexcept;
const char* name_of(op_kind kind) noexcept;

/// The last component of a path.
const char* base_name(const char* path) noexcept;

}  // namespace explore
