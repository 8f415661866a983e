// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/peers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/base/log.hpp"

namespace kaon::gpu {

Peers::~Peers() {
  for (const Own& own : own_)
    if (own.memory != nullptr) driver_.free(own.device, own.memory);
}

std::vector<std::byte> Peers::contact(std::span<const int> devices) {
  const std::lock_guard hold(lock_);
  std::vector<Exported> exports;
  for (const int device : devices) exports.push_back(export_of(device).exported);
  Writer size(nullptr, 0);
  size(exports);
  std::vector<std::byte> bytes(size.bytes());
  Writer(bytes.data(), bytes.size())(exports);
  return bytes;
}

const Peers::Own& Peers::export_of(int device) {
  const auto known = std::find_if(own_.begin(), own_.end(), [&](const Own& own) { return own.device == device; });
  if (known != own_.end()) return *known;
  Own& own = own_.emplace_back(Own{device, driver_.allocate(device, 1), {}});
  if (own.memory != nullptr) own.exported = driver_.export_memory(device, own.memory);
  return own;
}

void Peers::meet(ContactOf contact_of) {
  const std::lock_guard hold(lock_);
  contact_of_ = std::move(contact_of);
}

const std::vector<Peers::Exported>& Peers::exports_of(int process) {
  const auto known = exports_.find(process);
  if (known != exports_.end()) return known->second;
  std::vector<Exported> exports;
  if (contact_of_) {
    const std::vector<std::byte> bytes = contact_of_(process);
    if (!bytes.empty()) Reader(bytes.data(), bytes.size())(exports);
  }
  return exports_.emplace(process, std::move(exports)).first->second;
}

bool Peers::is_in_reach(int device, int process, PeId local_index) {
  const std::lock_guard hold(lock_);
  const std::vector<Exported>& exports = exports_of(process);
  if (local_index >= exports.size() || exports[local_index].empty()) return true;
  const auto [known, is_new] = in_reach_.try_emplace({device, exports[local_index]}, false);
  if (!is_new) return known->second;
  known->second = driver_.can_import(device, exports[local_index]);
  if (!known->second)
    log_warn(
        fmt::format("device {} does not reach the device of PE {} of process {}: payloads between them go through the "
                    "host",
                    device, local_index, process));
  return known->second;
}

}  // namespace kaon::gpu
