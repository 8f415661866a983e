// SPDX-License-Identifier: Apache-2.0
// How a resident kernel copies for engines.
#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/gpu/resident/host/resident_scheduler.hpp"

namespace kaon::gpu {

std::uint32_t ResidentScheduler::KernelCarrier::carry(const Cargo& cargo) {
  CopyCommand copy;
  copy.from = WireAddress<const std::byte>::of(cargo.from);
  copy.to = WireAddress<std::byte>::of(cargo.to);
  copy.done = WireAddress<std::uint32_t>::of(cargo.done);
  copy.bytes = cargo.bytes;
  copy.number = ++cargoes_;
  ++scheduler_.expected_;
  scheduler_.give(to_command(copy));
  return cargoes_;
}

// Numbers go around 32 bits.
bool ResidentScheduler::KernelCarrier::has_carried(std::uint32_t number) const {
  return static_cast<std::int32_t>(HostWords::load(&scheduler_.view().host->carried, Scope::system) - number) >= 0;
}

}  // namespace kaon::gpu
