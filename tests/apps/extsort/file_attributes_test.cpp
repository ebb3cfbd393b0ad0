// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine.hpp"
#include "core/sort_file.hpp"
#include "files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace extsort {
namespace {

// An access control list: version 2; owner rw-, user 12345 r--, a group, mask r--, others ---.
std::string list_for_another_user(int rights_of_group) {
  const auto entry = [](int tag, int permissions, unsigned id) {
    std::string made{static_cast<char>(tag), 0, static_cast<char>(permissions), 0};
    for (int i = 0; i != 4; ++i) made += static_cast<char>(id >> (8 * i));
    return made;
  };
  constexpr unsigned nobody = ~0u;
  return std::string{2, 0, 0, 0} + entry(1, 6, nobody) + entry(2, 4, 12345) + entry(4, rights_of_group, nobody) +
         entry(16, 4, nobody) + entry(32, 0, nobody);
}

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
  const std::string list = list_for_another_user(4);
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

// The mode of such a file shows the rights of the list's mask in the place of the group's.
TEST_F(attributes, a_list_that_gives_its_group_nothing_is_kept) {
  const std::string list = list_for_another_user(0);
  if (::setxattr(name_.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) != 0)
    GTEST_SKIP() << "there are no access control lists on this file system";
  ASSERT_EQ(about().st_mode & 07777, 0640u);
  EXPECT_EQ(sort(), "");
  EXPECT_EQ(about().st_mode & 07777, 0640u);
  std::string found(100, '\0');
  const ssize_t size = ::getxattr(name_.c_str(), "system.posix_acl_access", found.data(), found.size());
  ASSERT_EQ(size, static_cast<ssize_t>(list.size()));
  EXPECT_EQ(found.substr(0, list.size()), list);
}

// The folder gives each new file a list that lets another user read it.
TEST_F(attributes, no_list_comes_from_the_folder) {
  const std::string list = list_for_another_user(4);
  if (::setxattr(where_.path().c_str(), "system.posix_acl_default", list.data(), list.size(), 0) != 0)
    GTEST_SKIP() << "there are no access control lists on this file system";
  ASSERT_EQ(::chmod(name_.c_str(), 0640), 0);
  EXPECT_EQ(sort(), "");
  EXPECT_EQ(about().st_mode & 07777, 0640u);
  EXPECT_EQ(::getxattr(name_.c_str(), "system.posix_acl_access", nullptr, 0), -1);
  EXPECT_EQ(errno, ENODATA);
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
