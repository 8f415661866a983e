// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/ports/roster.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {

Roster::Roster(int processes, int pes_per_process)
    : processes_(processes),
      pes_per_process_(static_cast<PeId>(pes_per_process)),
      stretches_{{0, 0, 0}},
      hosts_{{processes, {0}}} {
  check();
}

Roster::Roster(std::span<const int> host_of_process, int pes_per_process)
    : processes_(static_cast<int>(host_of_process.size())), pes_per_process_(static_cast<PeId>(pes_per_process)) {
  check();
  for (int process = 0; process < processes_; ++process)
    add_process(process, host_of_process[static_cast<std::size_t>(process)]);
  for (const Host& host : hosts_)
    if (host.processes == 0)
      throw UsageError("host " + std::to_string(&host - hosts_.data()) + " of " + std::to_string(hosts()) +
                       " has no process: number the hosts that have some");
}

void Roster::add_process(int process, int host) {
  if (host < 0 || host >= processes_)
    throw UsageError("process " + std::to_string(process) + " is on host " + std::to_string(host) +
                     ", and the run of " + std::to_string(processes_) + " processes has none of that number");
  hosts_.resize(std::max(hosts_.size(), static_cast<std::size_t>(host) + 1));
  Host& its = hosts_[static_cast<std::size_t>(host)];
  if (stretches_.empty() || stretches_.back().host != host) {
    its.stretches.push_back(static_cast<int>(stretches_.size()));
    stretches_.push_back({process, host, its.processes});
  }
  ++its.processes;
}

void Roster::check() const {
  if (processes_ < 1) throw UsageError("a run needs at least one process");
  if (pes_per_process() < 1) throw UsageError("a process needs at least one PE: give --pes 1 or more");
  const std::uint64_t pes = static_cast<std::uint64_t>(processes_) * pes_per_process_;
  if (pes >= kMaxPes)
    throw UsageError(std::to_string(pes) + " PEs are more than a run can have (" + std::to_string(kMaxPes - 1) +
                     "): use fewer processes, or fewer PEs each (--pes)");
}

Seat Roster::seat(int process) const {
  const int host = stretch_of(process).host;
  const int place = place_of(process);
  return {process, processes_, host, hosts(), place, on(host).processes, place, on(host).processes};
}

std::vector<int> Roster::neighbors_of(int process) const {
  const int host = stretch_of(process).host;
  std::vector<int> neighbors;
  for (int place = 0; place < on(host).processes; ++place)
    if (const int other = process_at(host, place); other != process) neighbors.push_back(other);
  return neighbors;
}

const Roster::Stretch& Roster::stretch_of(int process) const {
  return *--std::upper_bound(stretches_.begin(), stretches_.end(), process,
                             [](int number, const Stretch& stretch) { return number < stretch.first_process; });
}

int Roster::place_of(int process) const {
  const Stretch& stretch = stretch_of(process);
  return stretch.first_place + process - stretch.first_process;
}

int Roster::process_at(int host, int place) const {
  const auto after = [this](int wanted, int stretch) {
    return wanted < stretches_[static_cast<std::size_t>(stretch)].first_place;
  };
  const std::vector<int>& its = on(host).stretches;
  const auto& stretch = stretches_[static_cast<std::size_t>(*--std::upper_bound(its.begin(), its.end(), place, after))];
  return stretch.first_process + place - stretch.first_place;
}

PeId Roster::index_on_host(PeId pe) const {
  if (hosts() == 1) return pe;
  return static_cast<PeId>(place_of(process_of(pe))) * pes_per_process_ + local_index(pe);
}

PeId Roster::pe_on_host(int host, PeId index) const {
  if (hosts() == 1) return index;
  return first_pe(process_at(host, static_cast<int>(index / pes_per_process_))) + index % pes_per_process_;
}

}  // namespace kaon::runtime
