// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "site.hpp"

#include <cstring>

namespace explore {

const char* name_of(std::memory_order order) noexcept {
  switch (order) {
    case std::memory_order_relaxed: return "relaxed";
    case std::memory_order_consume: return "consume";
    case std::memory_order_acquire: return "acquire";
    case std::memory_order_release: return "release";
    case std::memory_order_acq_rel: return "acq_rel";
    case std::memory_order_seq_cst: return "seq_cst";
  }
  return "unknown";
}

const char* name_of(op_kind kind) noexcept {
  switch (kind) {
    case op_kind::start: return "start";
    case op_kind::load: return "load";
    case op_kind::store: return "store";
    case op_kind::update: return "update";
    case op_kind::compare: return "compare";
    case op_kind::fence: return "fence";
    case op_kind::fence_light: return "fence_light";
    case op_kind::fence_heavy: return "fence_heavy";
    case op_kind::park: return "park";
    case op_kind::unpark: return "unpark";
    case op_kind::lock: return "lock";
    case op_kind::unlock: return "unlock";
    case op_kind::wait: return "wait";
    case op_kind::sleep: return "sleep";
    case op_kind::wake: return "wake";
    case op_kind::yield: return "yield";
    case op_kind::await: return "await";
    case op_kind::join: return "join";
  }
  return "unknown";
}

const char* base_name(const char* path) noexcept {
  const char* slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

namespace {

std::string what_is_at(const access_site& site) {
  using part = access_site::part;
  switch (site.what) {
    case part::order: return std::string(name_of(site.kind)) + "(" + name_of(site.order) + ")";
    case part::failure_order: return std::string(name_of(site.kind)) + " failing(" + name_of(site.order) + ")";
    case part::fence_light: return "fence_light";
    case part::fence_heavy: return "fence_heavy";
    case part::lock: return "lock";
    case part::keep: return "keep(\"" + site.name + "\")";
  }
  return "unknown";
}

std::string what_becomes_of_it(const mutation& it) {
  switch (it.how) {
    case mutation::change::weaken: return std::string(" -> ") + name_of(it.order);
    case mutation::change::drop: return " -> dropped";
    case mutation::change::full: return " -> full fence of its own thread";
  }
  return "unknown";
}

}  // namespace

std::string access_site::text() const {
  return std::string(base_name(file.c_str())) + ":" + std::to_string(line) + ":" + std::to_string(column) + " " +
         what_is_at(*this);
}

std::string access_site::text_without_place() const {
  return std::string(base_name(file.c_str())) + " " + what_is_at(*this);
}

std::string mutation::text() const { return site.text() + what_becomes_of_it(*this); }

std::string mutation::text_without_place() const { return site.text_without_place() + what_becomes_of_it(*this); }

namespace {

std::vector<mutation> weaker_than(const access_site& site, std::memory_order order) {
  using enum std::memory_order;
  const auto to = [&](std::memory_order next) { return mutation{site, mutation::change::weaken, next}; };
  const bool failing = site.what == access_site::part::failure_order;
  const bool loads = failing || site.kind == op_kind::load;
  const bool fence = site.kind == op_kind::fence;
  switch (order) {
    case seq_cst:
      if (loads) return {to(acquire)};
      if (site.kind == op_kind::store) return {to(release)};
      return {to(acq_rel)};
    case acq_rel: return {to(acquire), to(release)};
    case consume:
    case acquire:
    case release:
      if (fence) return {mutation{site, mutation::change::drop, relaxed}};
      return {to(relaxed)};
    default: return {};
  }
}

}  // namespace

std::vector<mutation> weaker(const access_site& site) {
  switch (site.what) {
    case access_site::part::order:
    case access_site::part::failure_order: return weaker_than(site, site.order);
    case access_site::part::fence_heavy: return {mutation{site, mutation::change::full, std::memory_order_seq_cst}};
    case access_site::part::fence_light:
    case access_site::part::lock:
    case access_site::part::keep: return {mutation{site, mutation::change::drop, std::memory_order_relaxed}};
  }
  return {};
}

std::vector<mutation> weaker(const mutation& of) {
  switch (of.how) {
    case mutation::change::weaken: return weaker_than(of.site, of.order);
    case mutation::change::full: return {mutation{of.site, mutation::change::drop, std::memory_order_relaxed}};
    case mutation::change::drop: return {};
  }
  return {};
}

}  // namespace explore
