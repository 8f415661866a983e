// SPDX-License-Identifier: Apache-2.0
#include "kaon/testing/loopback_port.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::testing {

// Sends end here whether they were delivered or not: their memory belongs to senders that are still there.
LoopbackPort::~LoopbackPort() {
  network_.close_port(pe_);
  tell_senders();
}

void LoopbackPort::tell_senders() {
  while (!sent_.empty()) {
    Work* done = sent_.front();
    sent_.pop_front();
    --sending_;
    client_.completed(*done);
  }
}

bool LoopbackPort::started(bool is_free) {
  sending_ += is_free ? 0 : 1;
  return is_free;
}

bool LoopbackPort::send_batch(PeId to, Lane lane, std::span<const std::byte> bytes, Work& done) {
  const auto kind = lane == Lane::data ? LoopbackNetwork::Kind::data : LoopbackNetwork::Kind::control;
  return started(network_.send({pe_, to, kind, 0, bytes, &done}));
}

bool LoopbackPort::send_payload(PeId to, std::uint32_t counter, PayloadMemory memory, Work& done) {
  const std::span bytes(static_cast<const std::byte*>(memory.data), memory.bytes);
  return started(network_.send({pe_, to, LoopbackNetwork::Kind::payload, counter, bytes, &done, epoch()}));
}

void LoopbackPort::land(std::span<const std::byte> bytes, PayloadMemory memory) {
  if (bytes.size() != memory.bytes)
    throw CorruptMessage("a payload of " + std::to_string(bytes.size()) + " bytes came where " +
                         std::to_string(memory.bytes) + " were announced");
  if (!bytes.empty()) std::memcpy(memory.data, bytes.data(), bytes.size());
}

bool LoopbackPort::receive_payload(PeId from, std::uint32_t counter, PayloadMemory memory, Work& done) {
  const PayloadName name{from, counter, epoch()};
  const auto found =
      std::find_if(arrived_.begin(), arrived_.end(), [&](const Arrived& arrived) { return arrived.name == name; });
  if (found == arrived_.end()) {
    expected_.push_back({name, memory, &done});
    return false;
  }
  const Arrived arrived = std::move(*found);
  arrived_.erase(found);
  land(arrived.bytes, memory);
  return true;
}

void LoopbackPort::begin_epoch(std::uint8_t epoch) {
  if (!epoch_.begin(epoch)) return;
  std::erase_if(arrived_, [this](const Arrived& arrived) { return epoch_.has_left(arrived.name.epoch); });
  for (const Expected& expected : std::exchange(expected_, {})) received_.push_back(expected.done);
}

void LoopbackPort::payload_delivered(PayloadName name, std::span<const std::byte> bytes) {
  if (epoch_.has_left(name.epoch)) return;
  const auto found =
      std::find_if(expected_.begin(), expected_.end(), [&](const Expected& expected) { return expected.name == name; });
  if (found == expected_.end()) return arrived_.push_back({name, {bytes.begin(), bytes.end()}});
  const Expected expected = *found;
  expected_.erase(found);
  if (bytes.size() != expected.memory.bytes) {
    got_wrong_size_ = true;  // told where the receiver can be blamed: in its progress
    return;
  }
  land(bytes, expected.memory);
  received_.push_back(expected.done);
}

bool LoopbackPort::progress() {
  if (std::exchange(got_wrong_size_, false)) throw CorruptMessage("a payload has not the size that was announced");
  const bool has_some = !arm();
  tell_senders();
  while (!received_.empty()) {
    Work* done = received_.front();
    received_.pop_front();
    client_.completed(*done);
  }
  while (!batches_.empty()) {
    const Batch batch = std::move(batches_.front());
    batches_.pop_front();
    client_.batch_arrived(batch.lane, batch.bytes);
  }
  return has_some;
}

}  // namespace kaon::testing
