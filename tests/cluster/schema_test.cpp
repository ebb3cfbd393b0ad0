// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The JSON Schema of a configuration has exactly the keys that weir reads.
// tests/cli/cluster_schema.sh checks files against both.

#include "cluster/configuration/configuration_keys.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

using json = nlohmann::json;

json schema() {
  std::ifstream file(WEIR_SCHEMA);
  return json::parse(file);
}

std::set<std::string> keys_of(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}
std::set<std::string> set_of(const std::vector<std::string>& keys) { return {keys.begin(), keys.end()}; }

TEST(schema, knows_the_keys_that_weir_knows_and_no_others) {
  const json all = schema();
  EXPECT_EQ(keys_of(all["properties"]), set_of(weir::cluster::keys_of_a_configuration));
  EXPECT_EQ(keys_of(all["$defs"]["group"]["properties"]), set_of(weir::cluster::keys_of_a_group));
  EXPECT_EQ(keys_of(all["$defs"]["link"]["properties"]), set_of(weir::cluster::keys_of_a_link));
  EXPECT_EQ(keys_of(all["$defs"]["tls"]["properties"]), set_of(weir::cluster::keys_of_tls));
}

TEST(schema, describes_every_key) {
  const json all = schema();
  const json& definitions = all["$defs"];
  for (const json& properties : {all["properties"], definitions["group"]["properties"],
                                 definitions["link"]["properties"], definitions["tls"]["properties"]}) {
    for (const auto& [key, value] : properties.items()) {
      const bool described =
          value.contains("description") ||
          all.at(json::json_pointer(std::string(value.at("$ref")).substr(1))).contains("description");
      EXPECT_TRUE(described) << key;
    }
  }
}

}  // namespace
