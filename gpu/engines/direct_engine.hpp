// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "kaon/gpu/device/peers.hpp"
#include "kaon/gpu/engines/engine.hpp"

namespace kaon::gpu {

/// From device to device: the port is given the device's memory.
class DirectEngine final : public Engine {
 public:
  /// `is_refused`: --transport staged.
  DirectEngine(Device& device, Peers& peers, bool is_refused)
      : Engine(device, Route::direct), peers_(peers), is_refused_(is_refused) {}

  Ability ability(PeId to, const PayloadRecord& record) override;
  bool submit(const Passage& passage) override;

  /// A payload has left: whether it went around the host is known from the first one on.
  void count_sent(PeId to, std::size_t bytes, double seconds);

 private:
  enum class Reach : std::uint8_t {
    unknown,
    out_of_reach,  // its device, for this one
    presumed,      // in reach, as far as devices know; nothing has gone there yet
    mapped,        // so the network says
    through_host   // so the network says
  };
  Reach& reach_of(PeId to);
  bool is_in_reach(PeId to);

  Peers& peers_;
  bool is_refused_;
  std::vector<Reach> reaches_;  // by PE
};

}  // namespace kaon::gpu
