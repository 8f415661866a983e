// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "kaon/gpu/buffer.hpp"
#include "kaon/gpu/resident/host/resident_options.hpp"
#include "kaon/gpu/resident/wire/resident_view.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {

/// The features that only some schedulers have.
struct ResidentNeeds {
  bool has_urgent;           // entries that go before others
  bool has_lockable;         // objects that the host may lock
  bool names_faults;         // see ResidentOptions
  std::uint32_t guests = 0;  // that there may be
};

/// The rings and words of a resident scheduler, of zeros at first, in memory that goes back in the order of `stream`.
class ResidentMemory {
 public:
  ResidentMemory(const ResidentOptions& options, const ResidentNeeds& needs, std::uint32_t serial, Stream& stream);
  const ResidentView& view() const { return view_; }
  /// Before others than `stream` write there.
  const Event& cleared() const { return cleared_; }

 private:
  Buffer<std::byte> device_;
  Pinned<std::byte> pinned_;
  ResidentView view_{};
  Event cleared_;
};

}  // namespace kaon::gpu
