// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/direct_engine.hpp"

#include <string>

#include "kaon/gpu/engines/direct_transfer.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

constexpr const char* kNotMapped =
    "UCX maps no device memory between these processes; is UCX_TLS set, or are they in different containers?";

}  // namespace

Ability DirectEngine::ability(PeId, const PayloadRecord& record) {
  if (const Region* region = region_of(device(), record); region != nullptr && !region->staged_because.empty())
    return {region->staged_because};
  if (is_refused_) return {"--transport staged was asked for"};
  return {};
}

bool DirectEngine::submit(const Passage& passage) { return DirectTransfer::start(*this, passage); }

void DirectEngine::count_sent(PeId to, std::size_t bytes, double seconds) {
  if (reaches_.size() <= to) reaches_.resize(to + 1, Reach::unknown);
  Exchange& exchange = device().pe().exchange();
  if (reaches_[to] == Reach::unknown) {
    const bool is_mapped =
        device().card().is_emulated() || exchange.port() == nullptr || exchange.port()->maps_device_memory(to);
    reaches_[to] = is_mapped ? Reach::mapped : Reach::through_host;
    if (!is_mapped) log_warn("device memory goes to PE " + std::to_string(to) + " through the host: " + kNotMapped);
  }
  if (reaches_[to] == Reach::mapped) return exchange.transfers().add(Route::direct, bytes, seconds);
  exchange.transfers().add(Route::network, bytes, seconds);
  exchange.transfers().add_fallback(Route::direct, kNotMapped, bytes);
}

}  // namespace kaon::gpu
