// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/deployment.hpp"

#include "run/start_checks.hpp"
#include "support/output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace {

using std::filesystem::path;

std::string place_of(const std::string& file) {
  const path normal = path(file).lexically_normal();
  return normal.is_absolute() || *normal.begin() == ".." ? normal.filename().string() : normal.string();
}

void add(const std::string& file, deployment& to, std::vector<std::string>& problems) {
  const auto wrong = [&](const std::string& what) {
    problems.push_back("can't deploy " + weir::support::quoted_name(file) + ": " + what);
  };
  struct stat about {};
  if (file.find('\n') != std::string::npos) return wrong("its name holds a line break");
  if (stat(file.c_str(), &about) != 0 || access(file.c_str(), R_OK) != 0) return wrong(std::strerror(errno));
  if (S_ISDIR(about.st_mode)) return wrong("it is a folder; name its files");
  if (!S_ISREG(about.st_mode)) return wrong("it is no regular file");
  const std::string place = place_of(file);
  const auto same = std::ranges::find(to.files, place, &deployed_file::to);
  if (same == to.files.end()) {
    to.files.push_back({file, place, static_cast<std::uintmax_t>(about.st_size), about.st_mode & 0777});
  } else if (std::error_code none; !std::filesystem::equivalent(same->from, file, none)) {
    wrong("there, it and " + weir::support::quoted_name(same->from) + " would both be " +
          weir::support::quoted_name(place));
  }
}

}  // namespace

deployment deployment_of(const std::string& program, const std::string& configuration,
                         const std::vector<std::string>& others, std::vector<std::string>& problems) {
  deployment made;
  const std::string found = found_program(program);
  made.program = "./" + place_of(found);
  add(found, made, problems);
  if (!configuration.empty()) add(configuration, made, problems);
  for (const std::string& each : others) add(each, made, problems);
  return made;
}
