// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/peers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kaon/runtime/archive/packed.hpp"
#include "kaon/runtime/base/log.hpp"

namespace kaon::gpu {

Peers::~Peers() {
  for (const ImportedMemory& memory : imported_) driver_.close_imported(memory);
  for (const Own& own : own_)
    if (own.memory != nullptr) driver_.free(own.device, own.memory);
}

std::vector<std::byte> Peers::contact(std::span<const int> devices) {
  const std::lock_guard hold(lock_);
  std::vector<Export> exports;
  for (const int device : devices) exports.push_back(export_of(device).exported);
  return runtime::packed_bytes(exports);
}

const Peers::Own& Peers::export_of(int device) {
  const auto known = std::find_if(own_.begin(), own_.end(), [&](const Own& own) { return own.device == device; });
  if (known != own_.end()) return *known;
  Own& own = own_.emplace_back(Own{device, driver_.allocate(device, 1), {driver_.identity(device), {}}});
  if (own.memory != nullptr) own.exported.memory = driver_.export_memory(device, own.memory);
  return own;
}

// Of many neighbors, which share devices, some spread over all of them.
void Peers::meet(std::span<const int> neighbors, ContactOf contact_of) {
  constexpr std::size_t kMostAsked = 16;
  const std::lock_guard hold(lock_);
  contact_of_ = std::move(contact_of);
  const std::size_t step = neighbors.size() / kMostAsked + 1;
  for (std::size_t i = 0; i < neighbors.size(); i += step)
    for (const Export& peer : exports_of(neighbors[i]))
      for (const Own& own : own_) tries(own.device, peer, neighbors[i]);
}

const std::vector<Peers::Export>& Peers::exports_of(int process) {
  const auto known = exports_.find(process);
  if (known != exports_.end()) return known->second;
  std::vector<Export> exports;
  if (contact_of_) {
    const std::vector<std::byte> bytes = contact_of_(process);
    if (!bytes.empty()) Reader(bytes.data(), bytes.size())(exports);
  }
  return exports_.emplace(process, std::move(exports)).first->second;
}

bool Peers::is_in_reach(int device, int process, PeId local_index) {
  const std::lock_guard hold(lock_);
  const std::vector<Export>& exports = exports_of(process);
  return local_index >= exports.size() || tries(device, exports[local_index], process);
}

bool Peers::tries(int device, const Export& peer, int process) {
  if (peer.memory.empty()) return true;
  const auto [known, is_new] = in_reach_.try_emplace({device, peer.device}, false);
  if (!is_new) return known->second;
  const auto memory = driver_.import_memory(device, peer.memory);
  known->second = memory.has_value();
  if (memory)
    imported_.push_back(*memory);
  else
    log_warn(
        fmt::format("device {} does not reach the device of process {} ({}): payloads between them go through the "
                    "host",
                    device, process, peer.device));
  return known->second;
}

}  // namespace kaon::gpu
