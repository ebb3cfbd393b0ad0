// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/error.hpp"

#include "graph/file_text.hpp"
#include "run/output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace weir::detail {

struct output_file::state {
  open_file file;
};

output_file::output_file(const std::string& name) {
  if (name.ends_with(".gz")) {
    throw graph_error("run_options::trace",
                      "can't compress '" + name +
                          "', because this weir was built without zlib; name a file that does not end in .gz");
  }
  state_.reset(new state{open_to_write(name)});
  if (state_->file == nullptr) throw std::system_error(errno, std::generic_category());
}
output_file::~output_file() = default;

int output_file::write(std::string_view text) noexcept {
  return std::fwrite(text.data(), 1, text.size(), state_->file.get()) == text.size() ? 0 : errno;
}

int output_file::close() noexcept {
  if (state_->file == nullptr) return 0;
  return std::fclose(state_->file.release()) == 0 ? 0 : errno;
}

}  // namespace weir::detail
