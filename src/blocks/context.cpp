// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/blocks/context.hpp"

#include "weir/detail/ports/ports.hpp"

namespace weir {

std::size_t context::channel() const noexcept { return at_->ins() == 0 ? 0 : at_->in(at_->taking()).from(); }
std::size_t context::channels() const noexcept { return at_->ins() == 0 ? 0 : at_->in(at_->taking()).width(); }
bool context::from_loop() const noexcept { return at_->ins() != 0 && at_->in(at_->taking()).from_loop(); }
std::size_t context::index() const noexcept { return at_->index(); }
std::size_t context::width() const noexcept { return at_->width(); }
const std::string& context::path() const noexcept { return at_->path(); }
bool context::stop_requested() const noexcept { return at_->stopping(); }
bool context::drain_requested() const noexcept { return at_->draining(); }
std::stop_token context::stop_token() const noexcept { return at_->owner().stop_token(); }
std::stop_token context::drain_token() const noexcept { return at_->owner().drain_token(); }

}  // namespace weir
