// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/engines/staging_streams.hpp"

namespace kaon::gpu {

/// Through pinned memory of each end and the network between: it takes any payload, wherever it goes.
class NetworkStaging final : public Engine {
 public:
  explicit NetworkStaging(Device& device) : Engine(device, Route::staged_by_network), streams_(device) {}

  Ability ability(PeId, const PayloadRecord&) override { return {}; }
  bool submit(const Passage& passage) override;

  // --- for its transfers
  StreamState& stream(Way way) { return streams_.of(way); }

 private:
  StagingStreams streams_;
};

}  // namespace kaon::gpu
