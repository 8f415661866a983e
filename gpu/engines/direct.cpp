// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/direct.hpp"

#include "kaon/gpu/device/clock.hpp"
#include "kaon/gpu/device/device.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

DirectTransfer::DirectTransfer(Device& device, Way way, PeId other, std::uint32_t counter, PayloadRecord& record,
                               Work& done)
    : device_(device), way_(way), other_(other), counter_(counter), record_(record), done_(done) {
  run = &reached;
  ++device_.moving_;
}

DirectTransfer::~DirectTransfer() {
  device_.completions().forget(*this);
  --device_.moving_;
}

bool DirectTransfer::start(Device& device, Way way, PeId other, std::uint32_t counter, PayloadRecord& record,
                           Work& done) {
  Pe& pe = device.pe();
  auto& transfer = make<DirectTransfer>(pe.activities(), pe.pool(), device, way, other, counter, record, done);
  if (!device.completions().when_reached(position_of(record), transfer)) return false;
  if (!transfer.give_to_port()) return false;
  transfer.finish();
  return true;
}

void DirectTransfer::reached(Work& self, Pe& pe) {
  if (static_cast<DirectTransfer&>(self).give_to_port()) moved(self, pe);
}

void DirectTransfer::moved(Work& self, Pe& pe) {
  auto& transfer = static_cast<DirectTransfer&>(self);
  Work& done = transfer.done_;
  transfer.finish();
  done.run(done, pe);
}

bool DirectTransfer::give_to_port() {
  since_ = now_ns();
  run = &moved;
  Port& port = *device_.pe().exchange().port();
  const PayloadMemory memory = device_.network_memory(record_);
  return way_ == Way::out ? port.send_payload(other_, counter_, memory, *this)
                          : port.receive_payload(other_, counter_, memory, *this);
}

void DirectTransfer::finish() {
  if (way_ == Way::out)
    device_.has_left(other_, record_.bytes, seconds_since(since_));
  else
    device_.has_arrived(record_);
  end();
}

// The run ends: what the port has not got yet it will not get, and its sender's memory is free.
void DirectTransfer::give_up() noexcept {
  Work* unsent = way_ == Way::out && since_ == 0 ? &done_ : nullptr;
  Device& device = device_;
  end();
  if (unsent != nullptr) device.complete(*unsent);
}

}  // namespace kaon::gpu
