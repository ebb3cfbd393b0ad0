// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "io/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace weir::io {

descriptor::~descriptor() {
  if (number_ > STDERR_FILENO) ::close(number_);
}

bool descriptor::close() noexcept {
  int number = std::exchange(number_, -1);
  // Closing any duplicate of a descriptor reports whether written data is lost, so a duplicate of a
  // standard stream is closed.
  if (number <= STDERR_FILENO) number = ::fcntl(number, F_DUPFD_CLOEXEC, 0);
  return number < 0 || ::close(number) == 0 || errno == EINTR;
}

std::string shown(std::string_view name, const char* standard) {
  if (name == "-") return standard;
  std::string text = "'";
  for (const char c : name) {
    const auto code = static_cast<unsigned char>(c);
    if (code < ' ' || code == 127) {
      text += '\\';
      for (const int shift : {6, 3, 0}) text += static_cast<char>('0' + ((code >> shift) & 7));
    } else {
      text += c;
    }
  }
  return text + "'";
}

void fail_with_errno(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace weir::io
