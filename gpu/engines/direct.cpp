// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/direct.hpp"

#include <new>

#include "kaon/gpu/device/clock.hpp"
#include "kaon/gpu/device/device.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

DirectTransfer::DirectTransfer(Device& device, Way way, PeId other, std::uint32_t counter, PayloadRecord& record,
                               Transfer& done)
    : Errand(device.pe().errands()),
      device_(device),
      way_(way),
      other_(other),
      counter_(counter),
      record_(record),
      done_(done) {
  completed = [](Transfer& self) {
    auto& transfer = static_cast<DirectTransfer&>(self);
    Transfer& done = transfer.done_;
    transfer.end();
    done.completed(done);
  };
  reached = [](Wait& self) {
    auto& transfer = static_cast<DirectTransfer&>(self);
    if (transfer.give_to_port()) transfer.completed(transfer);
  };
  ++device_.moving_;
}

bool DirectTransfer::start(Device& device, Way way, PeId other, std::uint32_t counter, PayloadRecord& record,
                           Transfer& done) {
  void* memory = device.pe().pool().allocate(sizeof(DirectTransfer));
  auto* transfer = new (memory) DirectTransfer(device, way, other, counter, record, done);
  if (!device.completions().when_reached(position_of(record), *transfer)) return false;
  if (!transfer->give_to_port()) return false;
  transfer->end();
  return true;
}

bool DirectTransfer::give_to_port() {
  since_ = now_ns();
  Port& port = *device_.pe().port();
  const PayloadMemory memory = device_.network_memory(record_);
  return way_ == Way::out ? port.send_payload(other_, counter_, memory, *this)
                          : port.receive_payload(other_, counter_, memory, *this);
}

void DirectTransfer::end() {
  if (way_ == Way::out)
    device_.has_left(other_, record_.bytes, seconds_since(since_));
  else
    device_.has_arrived(record_);
  abandon();
}

// Ended, or the run ends: what the port has not got yet it will not get, and its sender's memory is free.
void DirectTransfer::abandon() noexcept {
  Transfer* unsent = way_ == Way::out && since_ == 0 ? &done_ : nullptr;
  device_.completions().forget(*this);
  --device_.moving_;
  Pool& pool = device_.pe().pool();
  this->~DirectTransfer();
  pool.release(this, sizeof(DirectTransfer));
  if (unsent != nullptr) unsent->completed(*unsent);
}

}  // namespace kaon::gpu
