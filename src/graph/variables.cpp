// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/variables.hpp"

#include "graph/per_process.hpp"

#include <sys/auxv.h>

#include <array>
#include <cstdlib>
#include <map>
#include <string_view>
#include <utility>

namespace weir::detail {
namespace {

// Variables that apply to the runs of one process only. Other variables, such as WEIR_TOP=1 and
// WEIR_PLUGINS, also apply to child processes.
constexpr std::array of_runs{"WEIR_GROUP",           "WEIR_CLUSTER", "WEIR_COORDINATOR", "WEIR_SECRET",
                             "WEIR_SECRET_FILE",     "WEIR_CORES",   "WEIR_PORT",        "WEIR_PLAN",
                             "WEIR_GRAPH",           "WEIR_TRACE",   "WEIR_TUNING",      "WEIR_PROFILE",
                             "WEIR_TLS_CERTIFICATE", "WEIR_TLS_KEY", "WEIR_GRAPH_RUN",   "WEIR_TRACE_RUN",
                             "WEIR_TLS_AUTHORITIES"};

struct taken_variables {
  std::map<std::string, std::string, std::less<>> values;
  bool are_taken = false;
};

// Call it under the process lock.
taken_variables& taken() {
  static auto* const all = new taken_variables;  // never destroyed: code that runs at exit may use it
  return *all;
}

// As `variable`, under the process lock.
std::string value_of(const char* name) {
  if (const char* const set = ::secure_getenv(name); set != nullptr) return set;
  const auto found = taken().values.find(std::string_view(name));
  return found == taken().values.end() ? std::string() : found->second;
}

}  // namespace

std::string variable(const char* name) {
  const process_lock lock;
  return value_of(name);
}

bool has_rights_of_its_own() noexcept { return ::getauxval(AT_SECURE) != 0; }

void take_variables_of_runs() {
  const process_lock lock;
  taken_variables& all = taken();
  if (all.are_taken) return;
  for (const char* const name : of_runs) {
    std::string value = value_of(name);
    if (!value.empty()) all.values.insert_or_assign(name, std::move(value));
    ::unsetenv(name);
  }
  all.are_taken = true;
}

void forget_variable(const char* name) {
  const process_lock lock;
  taken().values.erase(name);
  ::unsetenv(name);
}

}  // namespace weir::detail
