// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "kaon/runtime/ports/machine.hpp"
#include "kaon/runtime/ports/payload_epoch.hpp"
#include "kaon/testing/loopback.hpp"

namespace kaon::testing {

/// One PE's end of a LoopbackNetwork: what was delivered and waits for progress.
class LoopbackPort final : public Port {
 public:
  LoopbackPort(LoopbackNetwork& network, PeId pe, PortClient& client) : network_(network), pe_(pe), client_(client) {}
  ~LoopbackPort() override;

  bool send_batch(PeId to, Lane lane, std::span<const std::byte> bytes, Work& done) override;
  bool send_payload(PeId to, std::uint32_t counter, PayloadMemory memory, Work& done) override;
  bool receive_payload(PeId from, std::uint32_t counter, PayloadMemory memory, Work& done) override;
  bool maps_device_memory(PeId) override { return network_.maps_device_memory(); }
  void begin_epoch(std::uint8_t epoch) override;
  bool progress() override;
  int event_fd() const override { return -1; }
  bool arm() override { return batches_.empty() && sent_.empty() && received_.empty(); }
  bool is_sending() const override { return sending_ > 0; }

  // --- for the network
  void batch_delivered(Lane lane, std::vector<std::byte> bytes) { batches_.push_back({lane, std::move(bytes)}); }
  /// The key by which a payload and its receive are matched.
  struct PayloadName {
    PeId from;
    std::uint32_t counter;
    std::uint8_t epoch;
    friend bool operator==(const PayloadName&, const PayloadName&) = default;
  };
  std::uint8_t epoch() const { return epoch_.now(); }
  void payload_delivered(PayloadName name, std::span<const std::byte> bytes);
  void send_completed(Work& done) { sent_.push_back(&done); }

 private:
  struct Batch {
    Lane lane;
    std::vector<std::byte> bytes;
  };
  struct Arrived {  // a payload before its receive
    PayloadName name;
    std::vector<std::byte> bytes;
  };
  struct Expected {  // a receive before its payload
    PayloadName name;
    PayloadMemory memory;
    Work* done;
  };
  static void land(std::span<const std::byte> bytes, PayloadMemory memory);
  bool started(bool is_free);
  void tell_senders();

  LoopbackNetwork& network_;
  PeId pe_;
  PortClient& client_;
  PayloadEpoch epoch_;
  std::deque<Batch> batches_;
  std::vector<Arrived> arrived_;
  std::vector<Expected> expected_;
  std::deque<Work*> sent_, received_;  // have completed, to be told at progress
  std::size_t sending_ = 0;
  bool got_wrong_size_ = false;
};

}  // namespace kaon::testing
