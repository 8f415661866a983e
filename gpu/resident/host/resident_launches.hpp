// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/device/stream_watcher.hpp"
#include "kaon/gpu/resident/host/resident_memory.hpp"

namespace kaon::gpu {

/// The launches of a resident kernel, one behind the other, and the memory that it keeps between them. Of the PE that
/// has made it.
class ResidentLaunches {
 public:
  using Launch = void (*)(Stream& stream, const Grid& grid, const ResidentView& view);
  ResidentLaunches(Device& device, const ResidentOptions& options, const ResidentNeeds& needs, std::uint32_t serial,
                   Launch launch);
  ResidentLaunches(const ResidentLaunches&) = delete;
  ResidentLaunches& operator=(const ResidentLaunches&) = delete;

  Stream& stream() { return stream_; }
  const ResidentView& view() const { return memory_.view(); }
  /// Before others than the stream write to its memory.
  const Event& cleared() const { return memory_.cleared(); }

  /// One more; the last one has ended.
  void launch();
  std::uint32_t count() const { return launches_; }
  bool is_running() const { return launches_ != ended_; }
  /// Records the end of the last launch. True if it has ended since the last call.
  bool note_end();
  /// Asks the device, which tells nobody when it has ended a kernel: throws GpuError.
  void look_for_fault();

 private:
  Device& device_;
  const ResidentOptions& options_;
  Launch launch_;
  Stream stream_;
  ResidentMemory memory_;
  std::uint32_t launches_ = 0;
  std::uint32_t ended_ = 0;
  Position launched_;                        // behind the last one
  StreamWatcher::OwnedEvent behind_launch_;  // reached when the last one has ended: by it a fault of the device shows
};

}  // namespace kaon::gpu
