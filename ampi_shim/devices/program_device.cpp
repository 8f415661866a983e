// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/devices/program_device.hpp"

#include <memory>

#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"

namespace kaon::ampi {
namespace {

/// A rank's share of its PE's ProgramDevice, which goes with the last rank.
class ShareOfDevice final : public RankPart {
 public:
  static constexpr RankSlot kSlot = RankSlot::devices;
  explicit ShareOfDevice(Rank&) : device(gpu::this_device().shared<ProgramDevice>()) {}
  std::shared_ptr<ProgramDevice> device;
};

}  // namespace

ProgramDevice& ProgramDevice::of(Rank& rank) { return *rank.part<ShareOfDevice>().device; }

std::byte* ProgramDevice::take_scratch(std::size_t bytes) {
  const auto found = scratch_.find(bytes);
  if (found == scratch_.end()) return static_cast<std::byte*>(device().driver().allocate(device().number(), bytes));
  std::byte* const memory = found->second;
  scratch_.erase(found);
  return memory;
}

bool ask_whether_in_device_memory(Rank& rank, const void* data, MPI_Count count, const Datatype* type) {
  if (count == 0) return false;
  const std::int64_t offset = type != nullptr ? type->true_lower_bound() : 0;
  // The buffer may be MPI_BOTTOM, a null pointer, to which nothing can be added.
  const auto address = reinterpret_cast<std::uintptr_t>(data) + static_cast<std::uintptr_t>(offset);
  return ProgramDevice::of(rank).memory().find(reinterpret_cast<const void*>(address)).is_on_device;
}

}  // namespace kaon::ampi
