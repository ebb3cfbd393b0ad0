// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/cluster/configuration.hpp"
#include "weir/graph/error.hpp"

#include "clusters.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

constexpr const char* missing =
    "tls: this weir was built without OpenSSL; build it with OpenSSL, or configure no \"tls\"";
const weir::tls_configuration files{"c.pem", "k.pem", "a.pem"};

template <class Act>
std::string refusal_of(const Act& act) {
  try {
    act();
  } catch (const weir::graph_error& problem) {
    return problem.what();
  }
  return "none";
}

TEST(tls, is_refused_on_both_sides_by_a_build_without_openssl) {
  weir::cluster_configuration configuration = weir_test::groups_named({"G1"});
  configuration.tls = files;
  EXPECT_EQ(refusal_of([&] { const weir::coordinator refused(configuration, "a secret", true); }), missing);
  EXPECT_EQ(refusal_of([&] { const weir::cluster_member refused("G1", "127.0.0.1:1", "a secret", {.tls = files}); }),
            missing);
}

}  // namespace
