// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ranking.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>

namespace wordcount {

std::string as_text(const ranking& found) {
  std::string text;
  for (const auto& [word, count] : found.most) fmt::format_to(std::back_inserter(text), "{:7} {}\n", count, word);
  return text;
}

std::string as_json(const ranking& found, double seconds) {
  nlohmann::ordered_json json;
  json["words"] = nlohmann::ordered_json::array();
  for (const auto& [word, count] : found.most) json["words"].push_back({{"word", word}, {"count", count}});
  json["total"] = found.words;
  json["distinct"] = found.distinct;
  json["bytes"] = found.read.bytes;
  json["files"] = found.read.files;
  json["unreadable"] = found.read.unreadable;
  json["seconds"] = seconds;
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace wordcount
