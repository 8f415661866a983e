// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/direct_engine.hpp"

#include <string>

#include "kaon/gpu/engines/direct_transfer.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {
namespace {

constexpr const char* kNoPeerAccess =
    "the receiver's device is out of reach of the sender's: there is no peer access between them, or their processes "
    "may "
    "not map each other's device memory";
constexpr const char* kNotMapped =
    "UCX maps no device memory between these processes; is UCX_TLS set, or are they in different containers?";

}  // namespace

Ability DirectEngine::ability(PeId to, const PayloadRecord& record) {
  if (const Region* region = region_of(device(), record); region != nullptr && !region->staged_because.empty())
    return {region->staged_because};
  if (is_refused_) return {"--transport staged was asked for"};
  switch (reach_of(to)) {
    case Reach::out_of_reach:
      return {kNoPeerAccess};
    case Reach::through_host:
      return {kNotMapped};
    default:
      return {};
  }
}

// What is known of it; of one to which nothing has gone yet, what devices say.
DirectEngine::Reach& DirectEngine::reach_of(PeId to) {
  if (reaches_.size() <= to) reaches_.resize(to + 1, Reach::unknown);
  Reach& reach = reaches_[to];
  if (reach != Reach::unknown) return reach;
  reach = is_in_reach(to) ? Reach::presumed : Reach::out_of_reach;
  return reach;
}

bool DirectEngine::is_in_reach(PeId to) {
  Pe& pe = device().pe();
  const Roster& roster = pe.process().roster();
  if (roster.host_of(pe.id()) != roster.host_of(to)) return true;  // the network's affair
  return peers_.is_in_reach(device().number(), roster.process_of(to), roster.local_index(to));
}

bool DirectEngine::submit(const Passage& passage) { return DirectTransfer::start(*this, passage); }

// The first one tells. If the network takes the host for it, the next ones are staged, which is faster.
void DirectEngine::count_sent(PeId to, std::size_t bytes, double seconds) {
  Exchange& exchange = device().pe().exchange();
  Reach& reach = reach_of(to);
  if (reach == Reach::presumed) {
    const bool is_mapped = exchange.port() == nullptr || exchange.port()->maps_device_memory(to);
    reach = is_mapped ? Reach::mapped : Reach::through_host;
    if (!is_mapped) log_warn("device memory goes to PE " + std::to_string(to) + " through the host: " + kNotMapped);
  }
  if (reach == Reach::mapped) return exchange.transfers().add(Route::direct, bytes, seconds);
  exchange.transfers().add(Route::network, bytes, seconds);
  exchange.transfers().add_fallback(Route::direct, kNotMapped, bytes);
}

}  // namespace kaon::gpu
