// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/direct_transfer.hpp"

#include "kaon/gpu/device/arena.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

DirectTransfer::DirectTransfer(DirectEngine& engine, const Passage& passage)
    : Transfer(engine, passage), engine_(engine) {
  run = &reached;
}

bool DirectTransfer::start(DirectEngine& engine, const Passage& passage) {
  Pe& pe = engine.device().pe();
  auto& transfer = make<DirectTransfer>(pe.activities(), pe.pool(), engine, passage);
  if (!engine.device().stream_watcher().when_reached(position_of(passage.record), transfer)) return false;
  if (!transfer.give_memory_to_port()) return false;
  transfer.note_moved();
  transfer.end();
  return true;
}

void DirectTransfer::reached(Work& self, Pe& pe) {
  if (static_cast<DirectTransfer&>(self).give_memory_to_port()) moved(self, pe);
}

void DirectTransfer::moved(Work& self, Pe&) {
  auto& transfer = static_cast<DirectTransfer&>(self);
  transfer.note_moved();
  transfer.end_and_tell();
}

bool DirectTransfer::give_memory_to_port() {
  begin_time();
  run = &moved;
  return give_to_port(memory(), *this);
}

// The network need not find out what memory this is.
PayloadMemory DirectTransfer::memory() {
  const PayloadRecord& payload = record();
  Region* region = region_of(device(), payload);
  if (region != nullptr && region->arena != nullptr) region->arena->note_export(*region, payload.bytes);
  if (device().card().is_emulated()) return {payload.data, payload.bytes, MemoryKind::host, nullptr};
  const bool is_mapped = region != nullptr && region->staged_because.empty();
  return {payload.data, payload.bytes, MemoryKind::device, is_mapped ? region : nullptr};
}

void DirectTransfer::note_moved() {
  if (way() == Way::out)
    engine_.count_sent(other(), record().bytes, seconds());
  else
    note_arrived();
}

// The run ends: what the port has not got yet it will not get, and its sender's memory is free.
void DirectTransfer::give_up() noexcept {
  if (way() == Way::out && !has_begun())
    end_and_tell();
  else
    end();
}

}  // namespace kaon::gpu
