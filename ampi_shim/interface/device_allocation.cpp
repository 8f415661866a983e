// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/device_allocation.hpp"

#include <algorithm>

#include "kaon/ampi_shim/devices/program_device.hpp"
#include "kaon/ampi_shim/interface/call.hpp"

namespace kaon::ampi {

void* allocate_on_device(Rank& rank, std::size_t bytes) {
  require(rank.scheduler().has_accelerator(), MPI_ERR_NO_MEM,
          "this run has no devices: ampirun --device cuda starts them, --device host emulates one");
  ProgramDevice& program = ProgramDevice::of(rank);
  const int number = program.device().number();
  void* const memory = program.device().driver().allocate(number, std::max<std::size_t>(bytes, 1));
  require(memory != nullptr, MPI_ERR_NO_MEM, "device {} has no {} bytes of memory left", number, bytes);
  program.allocated().insert(memory);
  return memory;
}

bool free_on_device(Rank& rank, void* memory) {
  if (!rank.scheduler().has_accelerator()) return false;
  ProgramDevice& program = ProgramDevice::of(rank);
  if (program.allocated().erase(memory) == 0) return false;
  program.device().driver().free(program.device().number(), memory);
  return true;
}

std::string memory_kinds(Rank& rank) {
  const std::string always = "system,mpi";
  if (!rank.scheduler().has_accelerator()) return always;
  switch (ProgramDevice::of(rank).device().driver().backend()) {
    case gpu::Backend::cuda:
      return always + ",cuda";
    case gpu::Backend::hip:
      return always + ",rocm";
    case gpu::Backend::host:
      break;
  }
  return always;
}

}  // namespace kaon::ampi
