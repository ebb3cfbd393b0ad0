// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/trace_file.hpp"

#include "weir/graph/error.hpp"

#include "graph/give_notice.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace weir::detail {
trace_file::trace_file(std::string name) : name_(std::move(name)) {
  try {
    file_.emplace(name_);
  } catch (const std::system_error& problem) {
    throw graph_error("run_options::trace", "can't write '" + name_ + "' (" + problem.code().message() +
                                                "); name a file that can be written, also in WEIR_TRACE");
  }
}

trace_file::~trace_file() {
  if (!file_) return;
  problem_ = ECANCELED;
  end();
}

void trace_text::put_microseconds(std::int64_t nanoseconds) {
  constexpr int fraction_digits = 3;
  if (nanoseconds < 0) *this << '-';  // the two clocks may differ slightly
  nanoseconds = std::abs(nanoseconds);
  std::array<char, 24> digits;
  char* end = std::to_chars(digits.begin(), digits.end(), nanoseconds / 1000).ptr;
  *end++ = '.';
  std::int64_t rest = nanoseconds % 1000;
  for (int i = fraction_digits; i-- != 0; rest /= 10) end[i] = static_cast<char>('0' + rest % 10);
  *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()) + fraction_digits);
}

void trace_file::flush() noexcept {
  if (problem_ == 0) problem_ = file_->write(waiting_);
  waiting_.clear();
}

void trace_pieces::flush() {
  const std::size_t last = waiting_.rfind(",\n");
  if (last == 0 || last == std::string::npos) return;
  take_(std::string_view(waiting_).substr(0, last));
  waiting_.erase(0, last);
}

void trace_pieces::end() {
  if (!waiting_.empty()) take_(waiting_);
  waiting_.clear();
}

bool trace_file::close(detail::notice_wait wait) noexcept {
  if (end()) return true;
  detail::give_notice({"can't write the trace '", name_, "' (", std::strerror(problem_), "); it is left empty"}, wait);
  return false;
}

bool trace_file::end() noexcept {
  flush();
  const int closed = file_->close();
  file_.reset();
  if (problem_ == 0) problem_ = closed;
  if (problem_ != 0) static_cast<void>(!::truncate(name_.c_str(), 0));  // has no effect on a file that is not regular
  return problem_ == 0;
}

}  // namespace weir::detail
