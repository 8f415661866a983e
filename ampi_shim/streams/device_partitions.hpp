// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "kaon/ampi_shim/devices/turn_wait.hpp"
#include "kaon/ampi_shim/messages/partitioned_receive.hpp"
#include "kaon/ampi_shim/messages/partitioned_send.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/gpu/buffer.hpp"
#include "kaon/gpu/device/device_watch.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::ampi {

/// The wait for kernels that ready the partitions of an active send: while it lasts, a run whose ranks all wait is no
/// deadlock.
class KernelWait {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = true;
  bool is_ready() const { return false; }
  bool start(Waiter&) { return false; }
  void give_up(Waiter&) noexcept {}
  std::string describe() const { return "for kernels that ready partitions (KAON_Device_pready)"; }
};

/// The partitions of a request that kernels ready, or see arrive, by words in memory of the host. Each word is written
/// by one side alone and has the number of the last start for which its partition was ready or has arrived. The PE
/// looks at the words when it turns to its network.
class DevicePartitions final : public gpu::DeviceWatch, private Work {
 public:
  // Kernels ready the partitions of a send, and wait for those of a receive.
  DevicePartitions(Rank& rank, PartitionedSend& send);
  DevicePartitions(Rank& rank, PartitionedReceive& receive);
  DevicePartitions(const DevicePartitions&) = delete;
  DevicePartitions& operator=(const DevicePartitions&) = delete;

  KAON_Prequest handle() { return {words(), request_->partitions()}; }
  /// No kernel uses it any more.
  void end();

  // --- DeviceWatch
  bool look() override;
  bool is_busy() const override { return request_ != nullptr && request_->is_active(); }
  bool is_over() const override { return request_ == nullptr && !is_queued_; }
  bool is_running() const override { return false; }
  void stop() override { end(); }

 private:
  DevicePartitions(Rank& rank, PartitionedRequest& request);
  std::uint32_t* words() { return words_.span().data(); }
  std::uint32_t word(int i) { return std::atomic_ref<std::uint32_t>(words()[i]).load(std::memory_order_acquire); }
  void note_wait();
  bool is_news(int partition);
  void take_news();

  Rank& rank_;
  PartitionedRequest* request_;  // nullptr: ended
  PartitionedSend* send_ = nullptr;
  PartitionedReceive* receive_ = nullptr;
  gpu::Pinned<std::uint32_t> words_;
  bool is_queued_ = false;
  std::optional<TurnWait<KernelWait>> wait_;
};

}  // namespace kaon::ampi
