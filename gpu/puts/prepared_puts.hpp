// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kaon/gpu/puts/put_engine.hpp"
#include "kaon/gpu/puts/put_ring.hpp"
#include "kaon/gpu/puts/put_starts.hpp"
#include "kaon/gpu/puts/segment_table.hpp"

namespace kaon::gpu {

/// A list of puts that kernels of this PE's device start by themselves, by number, again and again: the copy engine
/// moves the data, without the host and without a multiprocessor for each put. The receiver waits for the put's flag.
///
/// A kernel of one block serves the list and holds a place on a multiprocessor; it needs one when it starts, and from
/// time to time later. Preparing takes milliseconds and may wait for kernels that run on: do it before they start. The
/// memory of the puts stays until the list has ended. Belongs to a PE, and is used by that PE's thread.
class PreparedPuts {
 public:
  /// What `stream` is given next may start puts; other streams wait for `stream.record()`. Throws UsageError for a put
  /// that the table refuses, for two puts whose targets overlap or that raise one flag, for one that would overwrite
  /// the flag of another, and for an empty list; GpuError when kernels of this device cannot start copies, and
  /// for a list with an engine on any device but the emulation.
  PreparedPuts(const SegmentTable& table, std::span<const Put> puts, Stream& stream,
               const PreparedPutsOptions& options = {});
  PreparedPuts(PreparedPuts&& other) noexcept : engine_(std::exchange(other.engine_, nullptr)) {}
  PreparedPuts& operator=(PreparedPuts&& other) noexcept {
    std::swap(engine_, other.engine_);
    return *this;
  }
  /// Requests that the ring holds are done, and this PE's buffers that end from now on are free behind that. Kernels
  /// that start puts of the list have ended: a later start() would write into memory that others have by then.
  ~PreparedPuts();

  /// For kernels: ring.start(at, put, value). Throws UsageError for a list without an engine, or that was moved.
  const PutRing& ring() const;
  /// For the kernel that starts the copies of a list without an engine itself. Throws UsageError for another list.
  const PutStarts& starts() const;

 private:
  const PutEngine& engine_with(const char* use) const;

  std::shared_ptr<PutEngine> engine_;  // the device's watches have it as well
};

}  // namespace kaon::gpu
