// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Number of cores that control groups grant, read from files in Linux's format.

#include "run/cores.hpp"

#include "weir/run/run.hpp"

#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace {

class cores : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    const std::filesystem::path path = root() + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::string root() const { return folder_.path().string(); }
  std::optional<double> quota() const { return weir::detail::processor_quota(root()); }

 private:
  weir_test::temporary_folder folder_;
};

TEST_F(cores, are_limited_by_the_least_quota_of_version_2) {
  write("/proc/self/cgroup", "0::/user.slice/job/step\n");
  write("/proc/self/mountinfo",
        "24 1 0:22 / /proc rw,nosuid - proc proc rw\n"
        "30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("/sys/fs/cgroup/user.slice/job/step/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("/sys/fs/cgroup/user.slice/cpu.max", "400000 100000\n");
  EXPECT_EQ(quota(), 4);
  write("/sys/fs/cgroup/user.slice/job/step/cpu.max", "20000 100000\n");
  EXPECT_EQ(quota(), 0.2);
}

TEST_F(cores, are_limited_in_a_container_of_version_2) {
  write("/proc/self/cgroup", "0::/\n");
  write("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
  write("/sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 1.5);
}

TEST_F(cores, are_limited_by_version_1) {
  write("/proc/self/cgroup", "4:memory:/docker/1f\n3:cpuset:/\n1:cpu,cpuacct:/docker/1f\n0::/\n");
  write("/proc/self/mountinfo",
        "32 31 0:29 /docker/1f /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
        "34 31 0:31 / /sys/fs/cgroup/cpuset ro - cgroup cgroup rw,cpuset\n"
        "41 31 0:38 / /sys/fs/cgroup/unified ro - cgroup2 cgroup2 rw\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "250000\n");
  EXPECT_EQ(quota(), 2.5);
}

TEST_F(cores, have_no_quota_where_nothing_can_be_read) {
  EXPECT_EQ(quota(), std::nullopt);
  write("/proc/self/cgroup", "nonsense\n\n::\n0::/a\n");
  write("/proc/self/mountinfo", "- cgroup2\n1 2 3\n30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("/sys/fs/cgroup/a/cpu.max", "words\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST(available_cores, are_some) { EXPECT_GE(weir::available_cores(), 1U); }

}  // namespace
