// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "kaon/gpu/engines/carried_engine.hpp"
#include "kaon/gpu/engines/direct_engine.hpp"
#include "kaon/gpu/engines/fetched_engine.hpp"
#include "kaon/gpu/engines/host_notices.hpp"
#include "kaon/gpu/engines/network_staging.hpp"
#include "kaon/gpu/engines/shared_staging.hpp"

namespace kaon::gpu {

/// The user's settings of engines.
struct EngineSettings {
  bool stages_all = false;                          // --transport staged
  bool stages_through_network = false;              // of TestingSettings
  std::size_t most_carried = 4096;                  // bytes of a payload, KAON_CARRY_UP_TO; 0: none is carried
  std::size_t most_fetched = std::size_t{1} << 20;  // the same of those that are fetched, KAON_FETCH_UP_TO
  /// True if processes of a host notify each other of payloads on boards.
  bool posts_notices() const { return !stages_all && (most_carried > 0 || most_fetched > 0); }
};

/// The engines of a PE, the better ones first. The last one takes whatever the others do not.
class Engines {
 public:
  Engines(Device& device, const HostNotices::Means& means, const MemoryOfPayloads& memory,
          const EngineSettings& settings);
  Engines(const Engines&) = delete;
  Engines& operator=(const Engines&) = delete;

  /// The first engine that can take a payload to a PE, of a message in which so many are before it.
  Route choose(PeId to, const PayloadRecord& record, std::size_t before);
  /// A payload will go by its route. Notes in the report why it does not go by a better one.
  void prepare(PeId to, const PayloadRecord& record);
  /// See Engine::submit. Throws CorruptMessage where there is no such engine.
  bool submit(Route route, const Passage& passage);

  bool progress();
  bool is_moving() const;
  bool must_look() const;
  const CarriedEngine& carried() const { return carried_; }
  FetchedEngine& fetched() { return fetched_; }

 private:
  HostNotices notices_;
  CarriedEngine carried_;
  FetchedEngine fetched_;
  DirectEngine direct_;
  SharedStaging shared_;
  NetworkStaging network_;
  const std::array<Engine*, 5> all_{&carried_, &fetched_, &direct_, &shared_, &network_};
};

}  // namespace kaon::gpu
