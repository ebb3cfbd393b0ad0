// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "database.hpp"
#include "residues.hpp"

#include <stdexcept>
#include <stop_token>
#include <string>

namespace swsearch {

// A database as a file, made by `swsearch index`: a head of 128 bytes, then the parts of
// `database_layout`, each at a multiple of 64 bytes, as they lie in memory. The head has the sizes,
// and checksums (XXH3) of itself and of all that follows.

/// Thrown when a stop is requested.
class interrupted : public std::runtime_error {
 public:
  interrupted() : std::runtime_error("interrupted") {}
};

/// Writes a whole database. The file appears under its name only once it is complete.
/// @throws std::runtime_error that names the file
/// @throws interrupted
void write_database(const std::string& file, const database& whole, const alphabet& letters,
                    const std::stop_token& stop = {});

/// Maps a file into memory: residues are read when they are searched, and several processes share
/// the file's pages. The whole file is checked first.
/// @param of_batches the batches that are searched here
/// @throws std::runtime_error "file: what is wrong" if the file is damaged, cut off, made for other
/// letters, or of another version or byte order
database map_database(const std::string& file, const alphabet& letters, share of_batches = {});

}  // namespace swsearch
