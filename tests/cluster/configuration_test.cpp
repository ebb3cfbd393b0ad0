// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/cluster/configuration.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using weir::configuration_from_json;

std::string complaints(const std::string& text) {
  try {
    configuration_from_json(text, "c.json");
  } catch (const weir::configuration_error& problem) {
    return problem.what();
  }
  return "";
}

// A configuration with all keys of FastFlow.
TEST(configuration, of_fastflow_works_as_it_is) {
  const auto read = configuration_from_json(R"({
    "protocol" : "TCP",
    "groups" : [
      { "endpoint" : "host1:8004", "name" : "G1", "batchSize" : 20, "messageOTF": 64, "internalMessageOTF": 128,
        "threadMapping": "0,2,4,6,8" },
      { "name" : "G2", "endpoint" : "host2:8005", "preCmd" : "numactl --interleave=all" }
    ]
  })",
                                            "c.json");
  ASSERT_EQ(read.groups.size(), 2U);
  EXPECT_EQ(read.groups[0].name, "G1");
  EXPECT_EQ(read.groups[0].host, "host1");
  EXPECT_EQ(read.groups[0].port, 8004);
  EXPECT_EQ(read.groups[0].batch_size, 20U);
  EXPECT_EQ(read.groups[0].frames_under_way, 64U);
  EXPECT_EQ(read.groups[0].channel_items, 128U);
  EXPECT_EQ(read.groups[0].cores, "0,2,4,6,8");
  EXPECT_EQ(read.groups[1].pre_command, "numactl --interleave=all");
}

TEST(configuration, endpoints_with_addresses_of_ipv6) {
  const auto read = [](const std::string& endpoint) {
    return configuration_from_json(R"({"groups": [{"name": "a", "endpoint": ")" + endpoint + R"("}]})", "c").groups[0];
  };
  EXPECT_EQ(read("[::1]").host, "::1");
  EXPECT_EQ(read("[::1]").port, 0);
  EXPECT_EQ(read("[fe80::1%eth0]:80").host, "fe80::1%eth0");
  EXPECT_EQ(read("[fe80::1%eth0]:80").port, 80);
  for (const char* wrong : {"::1", "::1:80", "[::1]80"}) EXPECT_THROW(read(wrong), weir::configuration_error) << wrong;
}

TEST(configuration, of_times_that_would_end_what_is_well_is_refused) {
  const auto with = [](const std::string& times) {
    return complaints("{" + times + ",\n\"groups\": [{\"name\": \"a\"}]}");
  };
  EXPECT_EQ(with("\"heartbeat\": 10,\n\"dead_after\": 5"),
            "c.json:2: \"dead_after\" must be at least twice the \"heartbeat\"");
  EXPECT_EQ(with("\"heartbeat\": 3"), "c.json:1: \"dead_after\" must be at least twice the \"heartbeat\"");
  EXPECT_EQ(with("\"dead_after\": 1.9"), "c.json:1: \"dead_after\" must be at least twice the \"heartbeat\"");
  EXPECT_EQ(with("\"reconnect_within\": 2"),
            "c.json:1: \"reconnect_within\" must be at least three times the \"heartbeat\"");
  EXPECT_EQ(with("\"dead_after\": 2, \"reconnect_within\": 3"), "");
}

TEST(configuration, of_a_batch_that_counts_for_nothing_is_refused) {
  const auto with = [](const std::string& keys) {
    return complaints("{\"groups\": [{\"name\": \"a\",\n" + keys + "}]}");
  };
  const std::string refused =
      "c.json:2: \"batch_size\" has no effect without \"frames_under_way\"; set that, or leave \"batch_size\" out";
  EXPECT_EQ(with("\"batch_size\": 8"), refused);
  EXPECT_EQ(with("\"batch_size\": 8, \"frames_under_way\": 0"), refused);
  EXPECT_EQ(with("\"batch_size\": 8, \"frames_under_way\": 4"), "");
  EXPECT_EQ(with("\"messageOTF\": 4, \"batch_size\": 8"), "");
  EXPECT_EQ(with("\"batch_size\": 0"), "");
  EXPECT_EQ(with("\"batchSize\": 8"), "") << "a file of FastFlow works as it is";
  EXPECT_EQ(with("\"batchByteSize\": \"32K\""), "");
  EXPECT_EQ(with("\"batchByteSize\": 65536"), "");
  EXPECT_EQ(with("\"OConn\": [\"G2\"], \"includedNodes\": {}"), "");
  EXPECT_NE(with("\"batchByteSize\": [1]").find("\"batchByteSize\" must be a number of bytes"), std::string::npos);
}

// The configuration of F2's figure 5.
TEST(configuration, of_fastflow_may_ask_for_mpi) {
  const auto read = configuration_from_json(
      R"({"protocol": "MPI", "groups": [{"name": "G1", "endpoint": "host1"}, {"name": "G2", "endpoint": "host2"}]})",
      "c.json");
  EXPECT_EQ(read.protocol, weir::cluster_protocol::mpi);
  EXPECT_EQ(read.transport, weir::link_transport::automatic);
  const auto everywhere =
      configuration_from_json(R"({"protocol": "mpi", "transport": "mpi", "groups": [{"name": "a"}]})", "c.json");
  EXPECT_EQ(everywhere.transport, weir::link_transport::mpi);
  EXPECT_EQ(configuration_from_json(R"({"groups": [{"name": "a"}]})", "c.json").protocol, weir::cluster_protocol::tcp);
}

TEST(configuration, of_weir_says_where_nodes_are) {
  const auto read = configuration_from_json(R"({"dead_after": 2.5, "groups": [
    {"name": "a", "nodes": ["read", "split[0-1]"], "endpoint": "[::1]:80", "environment": {"X": "1"}}]})",
                                            "c.json");
  EXPECT_EQ(read.dead_after, std::chrono::milliseconds(2500));
  EXPECT_EQ(read.groups[0].nodes, (std::vector<std::string>{"read", "split[0-1]"}));
  EXPECT_EQ(read.groups[0].host, "::1");
  EXPECT_EQ(read.groups[0].environment.at("X"), "1");
}

TEST(configuration, says_what_carries_items) {
  const auto read = configuration_from_json(R"({
    "transport": "tcp", "checksums": true, "reconnect_within": 10,
    "links": [{"groups": ["a", "b"], "transport": "shm"}],
    "groups": [{"name": "a"}, {"name": "b"}]})",
                                            "c.json");
  EXPECT_EQ(read.transport, weir::link_transport::tcp);
  EXPECT_TRUE(read.checksums);
  EXPECT_EQ(read.reconnect_within, std::chrono::seconds(10));
  ASSERT_EQ(read.links.size(), 1U);
  EXPECT_EQ(read.links[0].one, "a");
  EXPECT_EQ(read.links[0].other, "b");
  EXPECT_EQ(read.links[0].transport, weir::link_transport::shm);
  EXPECT_FALSE(read.tls.is_set());
  EXPECT_EQ(complaints(R"({"transport": "udp", "tls": {"key": "k"},
"links": [{"groups": ["a"]}, {"groups": ["a", "c"], "transport": 7}], "groups": [{"name": "a"}]})"),
            "c.json:1: \"transport\" must be auto, tcp, shm, inproc or mpi, not \"udp\"\n"
            "c.json:1: \"tls\" needs a \"certificate\", a \"key\" and \"authorities\"\n"
            "c.json:2: the \"groups\" of a link must be an array of two names\n"
            "c.json:2: \"transport\" must be a string\n"
            "c.json:2: \"links\" names c, which is no group");
}

TEST(configuration, with_tls_nothing_goes_without_it) {
  const std::string tls = R"("tls": {"certificate": "c.pem", "key": "k.pem", "authorities": "a.pem"},
"groups": [{"name": "a"}, {"name": "b"}]})";
  const auto read = configuration_from_json(R"({"transport": "tcp", )" + tls, "c.json");
  EXPECT_TRUE(read.tls.is_set());
  EXPECT_EQ(read.tls.authorities, "a.pem");
  EXPECT_EQ(complaints(R"({"transport": "shm",
"links": [{"groups": ["a", "b"]},
{"groups": ["b", "a"], "transport": "mpi"}],
)" + tls),
            "c.json:1: \"tls\" encrypts TCP only; this \"transport\" must be auto or tcp\n"
            "c.json:3: \"tls\" encrypts TCP only; this \"transport\" must be auto or tcp");
}

TEST(configuration, cores_are_numbers_and_ranges) {
  using list = std::vector<std::size_t>;
  EXPECT_EQ(weir::cores_from_text("3"), list{3});
  EXPECT_EQ(weir::cores_from_text("0,2,4-6"), (list{0, 2, 4, 5, 6}));
  for (const char* wrong : {"", ",", "1,", "-1", "4-2", "1-", "a", "1 2", "99999", "1-99999999999999999999"}) {
    EXPECT_FALSE(weir::cores_from_text(wrong)) << wrong;
  }
}

TEST(configuration, errors_name_the_file_the_line_and_the_key_all_at_once) {
  EXPECT_EQ(complaints("{\n \"groups\": [\n  {\"name\": \"a\",\n   \"bachSize\": 3},\n  {\"name\": \"a\"},\n  {}\n "
                       "],\n \"groups\": []\n}"),
            "c.json:4: unknown key \"bachSize\" in a group; did you mean \"batchSize\"?\n"
            "c.json:5: there are two groups with the name a\n"
            "c.json:6: a group needs a \"name\"\n"
            "c.json:8: \"groups\" stands here for the second time in the configuration");
  EXPECT_EQ(complaints("{\"groups\": [{\"name\": \"a\",\n\"endpoint\": \"host:99999\"}]}"),
            "c.json:2: \"endpoint\" must be host:port, with a port below 65536, not \"host:99999\"");
  EXPECT_EQ(complaints("{\"groups\": [{\"name\": \"\\u001b[31mred\"}]}"),
            "c.json:1: the name of a group has no control characters");
  // Complaints quote the file, and a terminal must not obey it.
  EXPECT_EQ(complaints("{\"\\u001b]0;x\\u0007\": 1, \"protocol\": \"TCP\", \"builds\": \"\\u009b31m\\n\", \"groups\": "
                       "[{\"name\": \"a\"}]}"),
            "c.json:1: unknown key \"\\033]0;x\\007\" in the configuration; did you mean \"groups\"?\n"
            "c.json:1: \"builds\" must be same or any, not \"\\302\\23331m\\012\"");
  EXPECT_EQ(complaints("{\"groups\": [{\"name\": 3}]}"), "c.json:1: \"name\" must be a string");
  EXPECT_EQ(complaints("{}"), "c.json:1: a configuration needs \"groups\", at least one");
  EXPECT_EQ(complaints("[]"),
            "c.json:1: the configuration must be an object { … }\n"
            "c.json:1: a configuration needs \"groups\", at least one");
  EXPECT_EQ(complaints("{\"protocol\": \"UDP\", \"groups\": [{\"name\": \"a\"}]}"),
            "c.json:1: \"protocol\" must be \"TCP\" or \"MPI\"");
  EXPECT_EQ(complaints("{\"heartbeat\": -1, \"groups\": [{\"name\": \"a\", \"batch_size\": 1.5, \"nodes\": \"x\"}]}"),
            "c.json:1: \"heartbeat\" must be a number of seconds, at least 0.001\n"
            "c.json:1: \"batch_size\" must be a whole number from 0 to 1000000000\n"
            "c.json:1: \"nodes\" must be an array of strings");
  EXPECT_EQ(
      complaints("{\"groups\": [{\"name\": \"a\", \"threadMapping\": \"all\", \"environment\": {\"A B\": \"\"}}]}"),
      "c.json:1: \"threadMapping\" must be numbers of cores such as 0,2,4-7, not \"all\"\n"
      "c.json:1: \"A B\" is no name of a variable");
  EXPECT_EQ(complaints("{\"groups\": [{\"name\": \"a\", \"environment\": {\"X\": \"1\",\n\"Y\": \"\", \"X\": \"1\",\n"
                       "\"WEIR_GROUP\": \"b\"}}]}"),
            "c.json:2: \"X\" stands here for the second time in \"environment\"\n"
            "c.json:3: \"WEIR_GROUP\" is set by weir run; leave it out of \"environment\"");
}

TEST(configuration, what_is_no_json_is_named_with_its_line) {
  EXPECT_EQ(complaints("{\n\n oops }").substr(0, 26), "c.json:3: that is no JSON:");
  EXPECT_NE(complaints(""), "");
  EXPECT_NE(complaints(std::string(100'000, '[')), "");
  EXPECT_NE(complaints("{\"groups\": [{\"name\": \"a\"}]} x"), "");
}

}  // namespace
