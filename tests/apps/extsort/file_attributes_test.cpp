// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine.hpp"
#include "core/sort_file.hpp"
#include "files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <string>

namespace extsort {
namespace {

class attributes : public testing::Test {
 protected:
  void SetUp() override { where_.write("in", "b\na\n"); }
  // Sorts a file in place. @return the attributes that were lost
  std::string sort() const {
    const sort_setup setup{.input = name_,
                           .output = name_,
                           .format = text_lines(),
                           .memory = std::size_t{1} << 20,
                           .temporary = {where_.path()},
                           .direct = false};
    sort_progress progress;
    const sort_summary done = sort_file(setup, *sequential_engine({}), progress);
    EXPECT_EQ(where_.read("in"), "a\nb\n");
    return done.lost;
  }
  struct stat about() const {
    struct stat made {};
    ::stat(name_.c_str(), &made);
    return made;
  }

  folder where_;
  const std::string name_ = where_.file("in");
};

TEST_F(attributes, permissions_are_kept) {
  ASSERT_EQ(::chmod(name_.c_str(), 0640), 0);
  EXPECT_EQ(sort(), "");
  EXPECT_EQ(about().st_mode & 07777, 0640u);
}

TEST_F(attributes, the_owner_is_kept) {
  constexpr uid_t other = 12345;
  if (::chown(name_.c_str(), other, other) != 0) GTEST_SKIP() << "only root gives files away";
  ASSERT_EQ(::chmod(name_.c_str(), 04751), 0);
  EXPECT_EQ(sort(), "");
  EXPECT_EQ(about().st_uid, other);
  EXPECT_EQ(about().st_gid, other);
  EXPECT_EQ(about().st_mode & 07777, 04751u);
}

TEST_F(attributes, extended_ones_are_kept) {
  constexpr const char *name = "user.weir_test", *value = "kept";
  if (::setxattr(name_.c_str(), name, value, 4, 0) != 0) GTEST_SKIP() << "there are none on this file system";
  // An access control list: version 2; owner rw-, user 12345 r--, group r--, mask r--, others ---.
  const auto entry = [](int tag, int permissions, unsigned id) {
    std::string made{static_cast<char>(tag), 0, static_cast<char>(permissions), 0};
    for (int i = 0; i != 4; ++i) made += static_cast<char>(id >> (8 * i));
    return made;
  };
  constexpr unsigned nobody = ~0u;
  const std::string list = std::string{2, 0, 0, 0} + entry(1, 6, nobody) + entry(2, 4, 12345) + entry(4, 4, nobody) +
                           entry(16, 4, nobody) + entry(32, 0, nobody);
  const bool has_list = ::setxattr(name_.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) == 0;
  EXPECT_EQ(sort(), "");
  std::string found(100, '\0');
  const auto size_of = [&](const char* which) { return ::getxattr(name_.c_str(), which, found.data(), found.size()); };
  ASSERT_EQ(size_of(name), 4);
  EXPECT_EQ(found.substr(0, 4), value);
  if (!has_list) return;
  ASSERT_EQ(size_of("system.posix_acl_access"), static_cast<ssize_t>(list.size()));
  EXPECT_EQ(found.substr(0, list.size()), list);
}

TEST_F(attributes, other_names_are_told) {
  ASSERT_EQ(::link(name_.c_str(), where_.file("other").c_str()), 0);
  const std::string lost = sort();
  EXPECT_NE(lost.find("the new file has not kept its other name, which has the old contents"), std::string::npos)
      << lost;
  EXPECT_EQ(where_.read("other"), "b\na\n");
}

}  // namespace
}  // namespace extsort
