// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kaon/gpu/puts/put_engine.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {

/// Starts the copies of a list by streams of its PE: kernels leave requests in a ring in memory of the host, which the
/// PE empties whenever it turns to its network. So it does not sleep while the list lasts. Requests that lie side by
/// side in memory and in the ring become one copy.
///
/// The poster and the copies are the published software engine of GPU-driven transfers, without a thread of its own.
class HostPutEngine final : public PutEngine {
 public:
  /// `user` waits until the ring is empty.
  HostPutEngine(Device& device, std::span<const PutPlaces> puts, const PreparedPutsOptions& options, Stream& user);

  const PutRing* ring() const override { return &ring_; }
  const PutStarts* starts() const override { return nullptr; }

  // --- DeviceWatch
  bool look() override;
  bool is_busy() const override { return !has_ended_; }
  bool is_awaited() const override { return is_ending_ && !has_ended_; }
  bool is_running() const override { return false; }

 private:
  struct Request {
    std::uint32_t put, value;
  };
  static constexpr std::size_t kMostAtOnce = 64;
  bool start_all();
  bool start_some();
  std::span<const Request> take(std::span<Request, kMostAtOnce> requests);
  std::size_t neighbours(std::span<const Request> requests) const;
  void start_together(std::span<const Request> requests);
  void finish() override;

  std::array<Stream, 2> streams_;  // used in turns, so that a large copy does not hold up all that follow
  Buffer<std::uint32_t> words_;
  Buffer<std::uint32_t> sent_;  // of each put, if that is told
  Pinned<Quad> slots_;
  Pinned<std::uint32_t> taken_;
  Pinned<PutReport> report_;
  std::vector<Position> ends_;  // of each put, behind its last start
  PutRing ring_;
  std::uint32_t position_ = 0;  // of the next request
  std::size_t next_stream_ = 0;
  StreamWatcher::OwnedEvent behind_all_;
};

}  // namespace kaon::gpu
