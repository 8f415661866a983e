// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/free_gate.hpp"

#include <algorithm>
#include <thread>

namespace kaon::gpu {

void FreeGate::add(const StreamState& stream) {
  const std::lock_guard hold(lock_);
  streams_.push_back(&stream);
}

void FreeGate::announce(StreamState& stream) {
  stream.open_ended.store(stream.submitted + 1, std::memory_order_seq_cst);
  // What the devices do until then ends by itself.
  while (is_freeing_.load(std::memory_order_seq_cst)) std::this_thread::yield();
}

bool FreeGate::is_open_ended(int device) {
  const std::lock_guard hold(lock_);
  return has_open_ended(device);
}

bool FreeGate::has_open_ended(int device) const {
  return std::any_of(streams_.begin(), streams_.end(), [device](const StreamState* each) {
    return (device == kAnyDevice || each->device == device) && each->is_open_ended();
  });
}

// Nobody waits here: another thread that frees has the lock for as long as the driver takes.
FreeGate::Pass::Pass(FreeGate* gate, int device) : gate_(gate) {
  if (gate_ == nullptr) return;
  hold_ = std::unique_lock(gate_->lock_, std::try_to_lock);
  is_granted_ = hold_.owns_lock();
  if (!is_granted_) return;
  gate_->is_freeing_.store(true, std::memory_order_seq_cst);
  is_granted_ = !gate_->has_open_ended(device);
}

FreeGate::Pass::~Pass() {
  if (hold_.owns_lock()) gate_->is_freeing_.store(false, std::memory_order_seq_cst);
}

}  // namespace kaon::gpu
