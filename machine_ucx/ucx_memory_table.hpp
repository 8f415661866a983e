// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucp/api/ucp.h>

#include <mutex>
#include <vector>

#include "kaon/machine_ucx/context.hpp"
#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {

// Memory regions that UCX knows, so that a transfer in one neither asks the driver what memory it is nor registers it.
// Of one context.
class UcxMemoryTable {
 public:
  explicit UcxMemoryTable(const Context& context) : context_(context) {}
  // Ends all that are left; the memory is still there.
  ~UcxMemoryTable();
  UcxMemoryTable(const UcxMemoryTable&) = delete;
  UcxMemoryTable& operator=(const UcxMemoryTable&) = delete;

  // Any thread; locks only at a region's first use.
  ucp_mem_h of(MemoryRegion& region) {
    void* known = region.registration.load(std::memory_order_acquire);
    return known != nullptr ? static_cast<ucp_mem_h>(known) : add(region);
  }
  void forget(MemoryRegion& region);

 private:
  ucp_mem_h add(MemoryRegion& region);

  const Context& context_;
  std::mutex lock_;  // guards regions_ and first registrations
  std::vector<MemoryRegion*> regions_;
};

}  // namespace kaon::machine_ucx
