// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "mutants.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace explore {
namespace {

bool is_same(const mutation& a, const mutation& b) {
  return a.site.same_place(b.site) && a.how == b.how && a.order == b.order;
}

}  // namespace

mutant_report mutate(const std::vector<scenario>& scenarios, std::string_view where) {
  mutant_report report;
  std::vector<std::vector<access_site>> met(
      scenarios.size());  // only scenarios that meet a site can detect its mutation
  std::vector<mutation> to_try;
  for (std::size_t i = 0; i != scenarios.size(); ++i) {
    const result plain = run(scenarios[i].within, scenarios[i].body, met[i]);
    report.executions += plain.executions;
    report.seconds += plain.seconds;
    if (!plain.passed()) {
      report.broken = scenarios[i].name + ": " + plain.summary();
      return report;
    }
    for (const access_site& site : met[i]) {
      if (site.file.find(where) == std::string::npos) continue;
      for (mutation& next : weaker(site)) {
        const auto same = [&](const mutation& known) { return is_same(known, next); };
        if (std::none_of(to_try.begin(), to_try.end(), same)) to_try.push_back(std::move(next));
      }
    }
  }
  for (std::size_t next = 0; next != to_try.size(); ++next) {
    mutant it{to_try[next], false, {}, {}, true};
    for (std::size_t i = 0; i != scenarios.size() && !it.killed; ++i) {
      const auto here = [&](const access_site& site) { return site.same_place(it.what.site); };
      if (std::none_of(met[i].begin(), met[i].end(), here)) continue;
      const result weakened = run(scenarios[i].within, scenarios[i].body, it.what);
      report.executions += weakened.executions;
      report.seconds += weakened.seconds;
      if (weakened.failed) {
        it.killed = true;
        it.by = scenarios[i].name;
        it.message = weakened.message;
      } else {
        it.complete = it.complete && weakened.complete;
      }
    }
    if (!it.killed) {
      for (mutation& further : weaker(it.what)) {
        const auto same = [&](const mutation& known) { return is_same(known, further); };
        if (std::none_of(to_try.begin(), to_try.end(), same)) to_try.push_back(std::move(further));
      }
    }
    report.mutants.push_back(std::move(it));
  }
  return report;
}

std::vector<mutant> mutant_report::survivors() const {
  std::vector<mutant> left;
  std::copy_if(mutants.begin(), mutants.end(), std::back_inserter(left), [](const mutant& m) { return !m.killed; });
  return left;
}

std::string mutant_report::text(bool all) const {
  if (!broken.empty()) return "fails without any mutation: " + broken;
  std::string lines;
  std::size_t killed = 0;
  for (const mutant& m : mutants) {
    if (m.killed) {
      ++killed;
      if (all) lines += "killed    " + m.what.text() + "  by " + m.by + ": " + m.message + "\n";
    } else {
      lines += "survives  " + m.what.text() + (m.complete ? "" : "  (not all explored)") + "\n";
    }
  }
  char last[160];
  std::snprintf(last, sizeof last, "%zu of %zu mutants killed; %llu executions in %.2f s", killed, mutants.size(),
                static_cast<unsigned long long>(executions), seconds);
  return lines + last;
}

}  // namespace explore
