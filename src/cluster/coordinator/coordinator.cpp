// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/cluster/coordinator.hpp"

#include "cluster/coordinator/session.hpp"

#include <utility>

namespace weir {

class coordinator::state : public cluster::session {
  using session::session;
};

coordinator::coordinator(cluster_configuration configuration, std::string secret, bool loopback_only,
                         std::uint16_t port)
    : state_(new state(std::move(configuration), std::move(secret), loopback_only, port)) {
  state_->begin();
}
coordinator::~coordinator() {
  if (is_here(state_)) state_->end();
}
coordinator::state& coordinator::here() const { return detail::at_home(state_, "coordinator"); }

std::uint16_t coordinator::port() const { return here().port(); }
void coordinator::write_traces() { here().write_traces(); }
void coordinator::let_be_watched(const std::string& program) { here().let_be_watched(program); }
void coordinator::process_ended(const std::string& group, const std::string& how) { here().process_ended(group, how); }
bool coordinator::signal(const std::string& group, int number) { return here().signal(group, number); }
void coordinator::cancel() { here().cancel(); }
std::optional<cluster_failure> coordinator::failure() const { return here().failure(); }

bool coordinator::nobody_came() const { return here().nobody_came(); }
std::string coordinator::result_group() const { return here().result_group(); }

std::string new_cluster_secret() { return cluster::new_secret(); }

}  // namespace weir
