// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/file_attributes.hpp"

#include "support/output.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <string_view>

namespace weir::support {
namespace {

// Returns the text of a system call that reports the needed size if it is given no room; nothing if
// the call fails.
template <class Call>
std::optional<std::string> text_of(Call call) {
  while (true) {
    const ssize_t needed = call(nullptr, 0);
    if (needed < 0) return std::nullopt;
    std::string text(static_cast<std::size_t>(needed), '\0');
    const ssize_t got = needed == 0 ? 0 : call(text.data(), text.size());
    if (got < 0 && errno == ERANGE) continue;  // the text has grown
    if (got < 0) return std::nullopt;
    text.resize(static_cast<std::size_t>(got));
    return text;
  }
}

constexpr const char* access_list = "system.posix_acl_access";

// Returns the names of the extended attributes of a file, or nothing if they can't be read.
std::optional<std::vector<std::string>> attributes_of(const std::string& file) {
  const auto listed = text_of([&](char* to, std::size_t size) { return ::listxattr(file.c_str(), to, size); });
  if (!listed) return std::nullopt;
  std::vector<std::string> names;
  for (std::size_t at = 0; at < listed->size(); at += names.back().size() + 1) names.emplace_back(listed->c_str() + at);
  return names;
}

// Whether the system gives this label to each new file by its own rules.
bool is_given_by_the_system(std::string_view attribute) {
  return attribute == "security.selinux" || attribute == "security.SMACK64" || attribute == "security.ima" ||
         attribute == "security.evm";
}

}  // namespace

std::vector<std::string> keep_attributes(const std::string& old, int made) {
  constexpr mode_t permissions = 07777, as_owner = 06000;
  std::vector<std::string> lost;
  struct stat before {
  }, now{};
  if (::stat(old.c_str(), &before) != 0 || ::fstat(made, &now) != 0) return {"its owner and permissions"};
  mode_t mode = before.st_mode & permissions;
  if (now.st_uid != before.st_uid && ::fchown(made, before.st_uid, static_cast<gid_t>(-1)) != 0) {
    lost.push_back(fmt::format("its owner {}", before.st_uid));
    mode &= ~as_owner;
  }
  if (now.st_gid != before.st_gid && ::fchown(made, static_cast<uid_t>(-1), before.st_gid) != 0) {
    lost.push_back(fmt::format("its group {}", before.st_gid));
    mode &= ~as_owner;
  }
  // The folder may have given the new file a list that the old file has not.
  if (::fremovexattr(made, access_list) != 0 && errno != ENODATA && errno != ENOTSUP)
    lost.push_back("its access control list");
  const auto listed = attributes_of(old);
  const bool is_unknown = !listed && errno != ENOTSUP;
  if (is_unknown) lost.push_back("its extended attributes");
  const std::vector<std::string> names = listed.value_or(std::vector<std::string>());
  const auto copy = [&](const std::string& name) {
    const auto value =
        text_of([&](char* to, std::size_t size) { return ::getxattr(old.c_str(), name.c_str(), to, size); });
    const bool is_there = value && ::fsetxattr(made, name.c_str(), value->data(), value->size(), 0) == 0;
    if (!is_there) lost.push_back(fmt::format("its extended attribute {}", quoted_name(name)));
    return is_there;
  };
  // The mode of a file with a list has the list's mask in the place of the group's rights, which
  // may be fewer. So the group gets rights only once the list is there.
  const bool has_list = std::find(names.begin(), names.end(), access_list) != names.end();
  if (has_list || is_unknown) {
    const mode_t without_group = mode & ~(as_owner | mode_t{S_IRWXG});
    if (::fchmod(made, without_group) != 0 || !has_list || !copy(access_list)) mode = without_group;
  }
  if (::fchmod(made, mode) != 0) lost.push_back("its permissions");
  for (const std::string& name : names) {
    if (!is_given_by_the_system(name) && name != access_list) copy(name);
  }
  if (before.st_nlink > 1)
    lost.push_back(fmt::format("its other name{}, which ha{} the old contents", before.st_nlink == 2 ? "" : "s",
                               before.st_nlink == 2 ? "s" : "ve"));
  return lost;
}

}  // namespace weir::support
