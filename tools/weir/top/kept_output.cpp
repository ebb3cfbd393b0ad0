// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "top/kept_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace {

constexpr std::size_t tail_bytes = 4096;

int file_without_name() {
  std::error_code none;
  std::filesystem::path folder = std::filesystem::temp_directory_path(none);
  if (folder.empty()) folder = "/tmp";
  std::string path = folder / "weir-top-XXXXXX";
  const int made = ::mkostemp(path.data(), O_CLOEXEC | O_APPEND);
  if (made < 0) throw std::runtime_error("can't make a file in " + folder.string() + ": " + std::strerror(errno));
  ::unlink(path.c_str());
  return made;
}

}  // namespace

kept_output::kept_output() : file_(file_without_name()) {}

std::vector<std::string> kept_output::last_lines(std::size_t most) const {
  const off_t end = ::lseek(*file_, 0, SEEK_END);
  std::array<char, tail_bytes> tail;
  const off_t from = std::max<off_t>(0, end - static_cast<off_t>(tail_bytes));
  const ssize_t got = ::pread(*file_, tail.data(), tail.size(), from);
  std::string_view rest(tail.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  std::vector<std::string> lines;
  while (!rest.empty() && lines.size() != most) {
    if (rest.back() == '\n' || rest.back() == '\r') {
      rest.remove_suffix(1);
      continue;
    }
    const std::size_t before = rest.find_last_of("\r\n");
    std::string line(rest.substr(before == std::string_view::npos ? 0 : before + 1));
    std::replace_if(
        line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; }, ' ');
    lines.push_back(std::move(line));
    rest = rest.substr(0, before == std::string_view::npos ? 0 : before);
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

bool kept_output::pass_on(const weir::support::unhurried_stream& to) {
  std::array<char, 1 << 12> some;
  for (;;) {
    const ssize_t got = ::pread(*file_, some.data(), some.size(), passed_on_);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    const ssize_t wrote = to.write(std::string_view(some.data(), static_cast<std::size_t>(got)));
    if (wrote > 0) passed_on_ += wrote;
    if (wrote < 0 && errno == EAGAIN) return false;
    if (wrote < 0 && errno != EINTR)
      throw std::runtime_error(std::string("can't write to the terminal: ") + std::strerror(errno));
  }
}

void kept_output::pass_on(int to) {
  std::array<char, 1 << 16> some;
  for (;;) {
    const ssize_t got = ::pread(*file_, some.data(), some.size(), passed_on_);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    write_all(to, std::string_view(some.data(), static_cast<std::size_t>(got)), "the terminal");
    passed_on_ += got;
  }
}
