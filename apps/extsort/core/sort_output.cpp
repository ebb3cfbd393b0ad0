// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "sort_output.hpp"

#include "peers.hpp"

#include <numeric>
#include <string>
#include <vector>

namespace extsort {

sort_output::sort_output(const sort_setup& setup, const peers* others)
    : others_(others), is_shared_(others != nullptr && !setup.groups.own_output) {
  if (is_output_stream(setup.output)) stream_.emplace(setup.output);
  if (!is_shared_ || others_->is_first())
    file_ =
        std::make_unique<output_file>(stream_ ? "-" : setup.output, setup.direct, setup.temporary.front(), is_shared_);
  if (!is_shared_) return;
  const std::string unfinished = others_->told_by_first(file_ ? file_->unfinished() : "");
  if (!file_) file_ = std::make_unique<output_file>(output_file::existing{}, setup.output, unfinished, setup.direct);
}

void sort_output::begin_with(std::string_view header) {
  header_size_ = header.size();
  file_->write_at_begin(header);
}

void sort_output::make_room(std::uint64_t size) { without_room_ = file_->allocate(size) ? 0 : size; }

std::uint64_t sort_output::place(std::uint64_t own) {
  if (others_ == nullptr) return header_size_;
  if (!is_shared_) {
    make_room(own);
    return 0;
  }
  const std::vector<std::uint64_t> sizes = others_->told_by_all({own});
  const auto before = sizes.begin() + static_cast<std::ptrdiff_t>(others_->number());
  shared_size_ = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  return std::accumulate(sizes.begin(), before, std::uint64_t{0});
}

void sort_output::secure(std::uint64_t own) {
  if (is_shared_) {
    file_->secure();
  } else {
    file_->complete(header_size_ + own);
  }
  if (others_ != nullptr) others_->wait_for_all();
}

void sort_output::publish() {
  if (is_shared_ && !others_->is_first()) {
    file_->leave();
  } else {
    if (is_shared_) file_->complete(shared_size_);
    file_->publish();
  }
  if (others_ != nullptr) others_->wait_for_all();
}

}  // namespace extsort
