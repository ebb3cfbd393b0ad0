// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/item/cereal.hpp"

#include "readings.hpp"

#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

namespace codec_seen {
namespace {
struct this_file {};
}  // namespace

std::string sent_by_the_file_with_codecs() { return sent_between_groups<this_file>(); }
std::string sent_by_the_file_with_codecs_in_shared_code() { return sent_between_groups<void>(); }

}  // namespace codec_seen
