// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "kaon/gpu/flag.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {

/// The state that a Flag and the payloads that will raise it share.
class FlagState final : public ArrivalFlag {
 public:
  explicit FlagState(Stream& stream);
  FlagState(const FlagState&) = delete;
  FlagState& operator=(const FlagState&) = delete;
  void release() noexcept;

  FlagWord word() const { return {reinterpret_cast<std::uint32_t*>(memory_.data())}; }
  FlagWatch& watch() const { return *watch_; }
  Device& device() const { return device_; }
  /// Throws UsageError on a thread that is not its PE's.
  void require_own_pe() const;
  /// By the host.
  void raise(std::uint32_t by) const;
  /// The value that a stream is to write, which is the only one to do so.
  std::uint32_t next_by_stream(std::uint32_t by) { return promised_ += by; }

  /// A stream waits for it by this position: it may have to look at the word after the flag has ended.
  void note_wait(Position behind);

  // --- ArrivalFlag
  void expect() noexcept override { ++holders_; }
  void arrived() noexcept override;
  void will_not_arrive() noexcept override { release(); }

 private:
  ~FlagState();
  StreamMemory memory_;
  std::vector<Position> waits_;  // the last one of each stream
  std::shared_ptr<FlagWatch> watch_;
  Device& device_;
  std::uint32_t holders_ = 1;
  std::uint32_t promised_ = 0;
};

}  // namespace kaon::gpu
