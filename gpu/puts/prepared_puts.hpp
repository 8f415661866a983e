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
/// moves the data, without a multiprocessor for each put. The receiver waits for the put's flag.
///
/// PreparedPutsOptions::started_by says who starts the copies; kernels are the same for each.
/// * device: a kernel of one block serves the list, without the host. It needs a place on a multiprocessor when it
///   starts, and from time to time later. Preparing takes milliseconds. Do it before kernels start that run on: see
///   CopyRoom.
/// * host: the PE does it, whenever it turns to its network, and does not sleep while the list lasts. An entry that
///   runs long holds puts up.
///
/// The memory of the puts stays until the list has ended. Belongs to a PE, and is used by that PE's thread.
class PreparedPuts {
 public:
  /// Prepares puts. Later work of `stream` may start them; other streams wait for `stream.record()`. Throws UsageError
  /// for an empty list, a put that the table refuses, two puts that raise one flag, also in two lists, or whose targets
  /// overlap, and one that would overwrite another's flag. Throws GpuError when this device's kernels are to start
  /// copies and cannot, or the driver has no room for these and would wait for kernels that run on before it made more.
  PreparedPuts(const SegmentTable& table, std::span<const Put> puts, Stream& stream,
               const PreparedPutsOptions& options = {});
  PreparedPuts(PreparedPuts&& other) noexcept : engine_(std::exchange(other.engine_, nullptr)) {}
  PreparedPuts& operator=(PreparedPuts&& other) noexcept {
    if (this != &other) {
      end();
      engine_ = std::exchange(other.engine_, nullptr);
    }
    return *this;
  }
  /// Requests that the ring holds are done, and this PE's buffers that end from now on are free behind that. Kernels
  /// that start puts of the list have ended: a later start() would write into memory that others have by then.
  ~PreparedPuts() { end(); }

  /// For kernels: ring.start(at, put, value). Throws UsageError for a list whose puts the program starts, or that was
  /// moved.
  const PutRing& ring() const;
  /// For the kernel of the program that starts the copies itself. Throws UsageError for another list.
  const PutStarts& starts() const;
  /// Starts all puts of the list behind what `stream` was given so far: their flags become `value`. Streams wait for
  /// the flags by stream.wait(word, value), kernels and tasks as ever. A kernel of one thread does it in the order of
  /// the stream, and leaves `stream` as soon as the requests are in the ring. Throws as ring().
  void start(Stream& stream, std::uint32_t value) const;
  /// Device or host, where it was left to Kaon. Throws UsageError for a list that was moved.
  PutsStartedBy started_by() const { return engine_with("started_by()").started_by(); }

 private:
  const PutEngine& engine_with(const char* use) const;
  void end() noexcept;

  std::shared_ptr<PutEngine> engine_;  // the device's watches have it as well
};

}  // namespace kaon::gpu
