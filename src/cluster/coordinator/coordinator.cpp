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
    : state_(std::make_unique<state>(std::move(configuration), std::move(secret), loopback_only, port)) {
  state_->begin();
}
coordinator::~coordinator() { state_->end(); }
std::uint16_t coordinator::port() const { return state_->port(); }
void coordinator::write_traces() { state_->write_traces(); }
void coordinator::let_be_watched(const std::string& program) { state_->let_be_watched(program); }
void coordinator::process_ended(const std::string& group, const std::string& how) { state_->process_ended(group, how); }
bool coordinator::signal(const std::string& group, int number) { return state_->signal(group, number); }
void coordinator::cancel() { state_->cancel(); }
std::optional<cluster_failure> coordinator::failure() const { return state_->failure(); }

bool coordinator::nobody_came() const { return state_->nobody_came(); }
std::string coordinator::result_group() const { return state_->result_group(); }

std::string new_cluster_secret() { return cluster::new_secret(); }

}  // namespace weir
