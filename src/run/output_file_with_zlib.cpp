// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/output_file.hpp"

#include <zlib.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace weir::detail {
namespace {

// e: close on exec. T: no compression. 3: output a fifth larger than at the usual level 6, in a
// third of the time.
constexpr const char* plain_mode = "weT";
constexpr const char* compressed_mode = "we3";

}  // namespace

struct output_file::state {
  gzFile file;
};

output_file::output_file(const std::string& name)
    : state_(new state{::gzopen(name.c_str(), name.ends_with(".gz") ? compressed_mode : plain_mode)}) {
  if (state_->file == nullptr) throw std::system_error(errno, std::generic_category());
}
output_file::~output_file() { close(); }

int output_file::write(std::string_view text) noexcept {
  return text.empty() || ::gzwrite(state_->file, text.data(), static_cast<unsigned>(text.size())) != 0 ? 0 : errno;
}

int output_file::close() noexcept {
  if (state_->file == nullptr) return 0;
  const int closed = ::gzclose(std::exchange(state_->file, nullptr));
  if (closed == Z_OK) return 0;
  return closed == Z_ERRNO ? errno : ENOMEM;
}

}  // namespace weir::detail
