// SPDX-License-Identifier: Apache-2.0
// How a resident kernel copies for engines.
#include <cstring>

#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/gpu/resident/host/resident_scheduler.hpp"

namespace kaon::gpu {

std::uint32_t ResidentScheduler::KernelCarrier::carry(const Cargo& cargo) {
  Command command{};
  command.words[task::kEntry] = task::kCarry;
  std::memcpy(&command.words[task::kFrom], &cargo.from, sizeof cargo.from);
  std::memcpy(&command.words[task::kTo], &cargo.to, sizeof cargo.to);
  std::memcpy(&command.words[task::kDone], &cargo.done, sizeof cargo.done);
  command.words[task::kBytes] = cargo.bytes;
  command.words[task::kNumber] = ++cargoes_;
  ++scheduler_.expected_;
  scheduler_.give(command);
  return cargoes_;
}

// Numbers go around 32 bits.
bool ResidentScheduler::KernelCarrier::has_carried(std::uint32_t number) const {
  return static_cast<std::int32_t>(HostWords::load(&scheduler_.view().host->carried, Scope::system) - number) >= 0;
}

}  // namespace kaon::gpu
