// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "kaon/runtime/ports/machine.hpp"

namespace kaon::testing {

class LoopbackPort;

/// A network inside one thread, in which nothing arrives before the test says so. What has been sent stays where the
/// sender left it: bytes are copied at delivery, so a sender that reuses its memory too early is seen.
/// Outlives the processes that it connects.
class LoopbackNetwork final : public Machine {
 public:
  enum class Kind : std::uint8_t { data, control, payload };
  enum class Order : bool { lanes_in_order, any };

  /// Something sent and not delivered.
  struct Parcel {
    PeId from;
    PeId to;
    Kind kind;
    std::uint32_t counter;  // of a payload
    std::span<const std::byte> bytes;
    Work* done;
    std::uint8_t epoch = 0;  // of a payload
  };

  LoopbackNetwork() = default;
  ~LoopbackNetwork() override;

  std::unique_ptr<Port> open_port(PeId pe, PortClient& client) override;
  std::vector<std::byte> contact() override { return {}; }

  /// Oldest first.
  const std::deque<Parcel>& pending() const { return pending_; }

  /// Delivers one parcel, whatever is held back or came before. Its receiver sees it in Port::progress.
  void deliver(std::size_t index);
  /// The oldest parcel that is not held back. False: there is none.
  bool deliver_next();
  /// Any parcel that is not held back; with lanes_in_order, batches of one lane between two PEs, and payloads of one
  /// number, keep their order, as on a real network.
  bool deliver_random(std::mt19937_64& random, Order order = Order::lanes_in_order);

  /// Parcels of which `is_held` says true stay, until the next call. An empty function holds nothing back.
  void hold(std::function<bool(const Parcel&)> is_held) { is_held_ = std::move(is_held); }

  /// With true, sends copy at once and report that the memory is free again, as a real network does for small batches.
  void copy_at_once(bool on) { copies_at_once_ = on; }

  /// Sets whether ports report that device memory bypasses the host.
  void map_device_memory(bool on) { maps_device_memory_ = on; }
  bool maps_device_memory() const { return maps_device_memory_; }

  /// Puts bytes that no sender made before a PE, as the next batch that it gets.
  void inject(PeId to, Lane lane, std::span<const std::byte> bytes);
  /// Same as inject(), for a payload that no sender made.
  void inject_payload(PeId to, PeId from, std::uint32_t counter, std::span<const std::byte> bytes);

 private:
  friend class LoopbackPort;

  bool is_held(const Parcel& parcel) const { return is_held_ && is_held_(parcel); }
  bool send(Parcel parcel);
  LoopbackPort* port(PeId pe) const { return pe < ports_.size() ? ports_[pe] : nullptr; }
  void close_port(PeId pe);

  std::deque<Parcel> pending_;
  std::deque<std::vector<std::byte>> copies_;  // of what copy_at_once took
  std::vector<LoopbackPort*> ports_;           // by PE; nullptr before it opens and after it closes
  std::function<bool(const Parcel&)> is_held_;
  bool copies_at_once_ = false;
  bool maps_device_memory_ = true;
};

}  // namespace kaon::testing
