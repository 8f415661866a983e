// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/foreign_bootstrap.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/core_share.hpp"
#include "kaon/runtime/launch/packed.hpp"

namespace kaon::launch {

void ForeignBootstrap::take_seat(std::vector<int> hosts, int process) {
  hosts_ = std::move(hosts);
  seat_ = Roster(hosts_, 1).seat(process);
}

void ForeignBootstrap::take_secret(const Bytes& secret, const char* name) {
  if (secret.size() != secret_.size()) throw_unreadable(name);
  std::memcpy(secret_.data(), secret.data(), secret_.size());
}

int ForeignBootstrap::first_of_host() const {
  return static_cast<int>(std::find(hosts_.begin(), hosts_.end(), seat_.host) - hosts_.begin());
}

void ForeignBootstrap::share_cores(const std::function<Bytes(int process)>& cores) {
  std::vector<ProcessorMask> masks;
  for (int process = 0; process < seat_.processes; ++process)
    if (hosts_[static_cast<std::size_t>(process)] == seat_.host) masks.push_back(unpacked_mask(cores(process)));
  const CoreShare share = core_share(masks, static_cast<std::size_t>(seat_.place_on_host));
  seat_.place_on_cores = share.place;
  seat_.processes_on_cores = share.processes;
}

std::unique_ptr<Lifelines> ForeignBootstrap::make_lifelines(const std::string& interfaces, Lifelines::Lost lost) const {
  if (seat_.hosts == 1 || interfaces.empty()) return nullptr;
  return std::make_unique<Lifelines>(seat_.process, seat_.processes, secret_, interfaces, std::move(lost));
}

void ForeignBootstrap::require_process(int process) const {
  if (process < 0 || process >= seat_.processes)
    throw UsageError("there is no process " + std::to_string(process) + " among " + std::to_string(seat_.processes));
}

}  // namespace kaon::launch
