// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "database.hpp"
#include "residues.hpp"

#include <stdexcept>
#include <stop_token>
#include <string>

namespace swsearch {

// A database as a file, `swsearch index`: a head of 128 bytes, then the parts of `database_layout`,
// each from a multiple of 64 bytes on, as they lie in memory. The head has the sizes, and checksums
// (XXH3) of itself and of all that follows.

/// Thrown once stop is requested.
class interrupted : public std::runtime_error {
 public:
  interrupted() : std::runtime_error("interrupted") {}
};

/// Writes a whole database; the file is there under its name once it is complete.
/// @throws std::runtime_error that names the file
/// @throws interrupted
void write_database(const std::string& file, const database& whole, const alphabet& letters,
                    const std::stop_token& stop = {});

/// Maps a file into memory: what is searched is read when it is, and several processes share it.
/// All of it is checked first.
/// @param of_batches which are searched here
/// @throws std::runtime_error "file: what is wrong": it is damaged, cut off, not for these letters,
/// or of another version or byte order
database map_database(const std::string& file, const alphabet& letters, share of_batches = {});

}  // namespace swsearch
