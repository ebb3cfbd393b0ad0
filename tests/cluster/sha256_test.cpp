// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/cluster/sha256.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace {

using weir::detail::hexadecimal;
using weir::detail::hmac_sha256;
using weir::detail::sha256;

std::string hash_of(std::string_view text) {
  sha256 hash;
  hash.add(text);
  return hexadecimal(hash.end());
}

// Examples of the National Institute of Standards and Technology for FIPS 180-4.
TEST(sha256, is_that_of_the_standard) {
  EXPECT_EQ(hash_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash_of(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(sha256, does_not_depend_on_the_pieces) {
  std::string text;
  for (int i = 0; i != 300; ++i) text.push_back(static_cast<char>(i));
  // Around the sizes at which the padding takes another block.
  for (std::size_t size = 0; size != text.size(); ++size) {
    const std::string_view all = std::string_view(text).substr(0, size);
    sha256 one_by_one;
    for (const char each : all) one_by_one.add({&each, 1});
    sha256 halves;
    halves.add(all.substr(0, size / 2));
    halves.add(all.substr(size / 2));
    const std::string whole = hash_of(all);
    EXPECT_EQ(hexadecimal(one_by_one.end()), whole) << size;
    EXPECT_EQ(hexadecimal(halves.end()), whole) << size;
  }
}

// RFC 4231, test cases 1, 2, 3, 6 and 7.
TEST(hmac_sha256, is_that_of_the_standard) {
  const auto hmac = [](std::string_view key, std::string_view text) { return hexadecimal(hmac_sha256(key, text)); };
  EXPECT_EQ(hmac(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac(std::string(20, '\xaa'), std::string(50, '\xdd')),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  EXPECT_EQ(hmac(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(
      hmac(std::string(131, '\xaa'),
           "This is a test using a larger than block-size key and a larger than block-size data. The key needs to "
           "be hashed before being used by the HMAC algorithm."),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

}  // namespace
