// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "kaon/runtime/base/namespaces.hpp"
#include "kaon/runtime/base/pe_id.hpp"

namespace kaon::runtime {

class EntryTable;

/// The settings that all exchanges of a process share.
struct ExchangeSetup {
  PeId pes = 1;       // of the run
  PeId first_pe = 0;  // of this process, and how many
  PeId local_pes = 1;
  const EntryTable* entries = nullptr;
  std::uint8_t epoch = 0;       // at the start; each rollback begins the next
  std::uint64_t secret = 0;     // that only processes of the run know
  int credits = 64;             // of batches under way to one PE
  std::size_t queue_limit = 0;  // bytes that may wait for slow receivers
  int payload_counter_bits = 32;

  bool is_local(PeId pe) const { return pe - first_pe < local_pes; }
};

}  // namespace kaon::runtime
