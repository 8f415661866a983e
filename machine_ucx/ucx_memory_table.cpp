// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/ucx_memory_table.hpp"

#include "kaon/machine_ucx/device_memory.hpp"
#include "kaon/machine_ucx/status.hpp"

namespace kaon::machine_ucx {

ucp_mem_h UcxMemoryTable::add(MemoryRegion& region) {
  const std::lock_guard hold(lock_);
  if (void* known = region.registration.load(std::memory_order_relaxed)) return static_cast<ucp_mem_h>(known);
  ucp_mem_map_params_t parameters{};
  parameters.field_mask =
      UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_MEMORY_TYPE;
  parameters.address = region.base;
  parameters.length = region.bytes;
  parameters.memory_type =
      region.kind == MemoryKind::device ? device_memory_of(context_.vendor()).type : UCS_MEMORY_TYPE_HOST;
  ucp_mem_h handle = nullptr;
  check_status(ucp_mem_map(context_.handle(), &parameters, &handle), "registering device memory");
  regions_.push_back(&region);
  region.registration.store(handle, std::memory_order_release);
  return handle;
}

void UcxMemoryTable::forget(MemoryRegion& region) {
  const std::lock_guard hold(lock_);
  void* known = region.registration.exchange(nullptr, std::memory_order_relaxed);
  if (known == nullptr) return;
  ucp_mem_unmap(context_.handle(), static_cast<ucp_mem_h>(known));
  std::erase(regions_, &region);
}

UcxMemoryTable::~UcxMemoryTable() {
  for (MemoryRegion* region : regions_)
    ucp_mem_unmap(context_.handle(), static_cast<ucp_mem_h>(region->registration.exchange(nullptr)));
}

}  // namespace kaon::machine_ucx
