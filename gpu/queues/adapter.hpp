// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kaon/gpu/device/device_watch.hpp"
#include "kaon/gpu/puts/segment_table.hpp"
#include "kaon/gpu/queues/block_engine.hpp"
#include "kaon/gpu/queues/queue_state.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::gpu {

/// The executor of an adapter's requests: resident blocks of the device, or the PE's thread in its turns.
enum class AdapterKind : std::uint8_t { blocks, progress };

/// The form of an adapter.
struct AdapterOptions {
  AdapterKind kind = AdapterKind::blocks;
  AdapterSizes sizes;
};

/// An emulated network adapter for queue pairs between devices of a host. Kernels post the same requests as they would
/// for one of hardware; resident blocks of this device, or this PE, execute them. It has a table of segments whose
/// numbers are the keys of requests.
///
/// Resident blocks hold a place on a multiprocessor each from start() on; kernels that post run beside them. With
/// AdapterKind::progress the PE does not sleep. Belongs to a PE, and is used by that PE's thread. The device keeps it
/// until it has ended: by stop(), or at the end of the run.
class Adapter final : public DeviceWatch {
 public:
  /// Throws UsageError for sizes that are 0, and GpuError for blocks that leave no place for other kernels.
  static std::shared_ptr<Adapter> start(const AdapterOptions& options = {});
  Adapter(Device& device, const AdapterOptions& options);
  Adapter(const Adapter&) = delete;
  Adapter& operator=(const Adapter&) = delete;

  const char* name() const { return engine_->name(); }
  Device& device() const { return device_; }

  /// Adds memory that requests read and write: a buffer of this device, a range that another PE shares, or a flag of
  /// the host. `name` is for errors. Throws as SegmentTable::add() does, and UsageError when the table is full.
  template <class T>
  SegmentNumber add(std::string name, const Buffer<T>& buffer) {
    return add(std::move(name), share_segment(buffer));
  }
  SegmentNumber add(std::string name, const SegmentRange& range);
  SegmentNumber add(std::string name, const Flag& flag);
  /// Refuses requests that use the segment from now on. When the task ends, no request uses it any more, and its memory
  /// may go.
  Task<> remove(SegmentNumber number);
  const SegmentTable& segments() const { return segments_; }

  /// For QueuePair. Throws UsageError when there are too many, or when the adapter was stopped.
  std::shared_ptr<QueueState> open(const QueuePairOptions& options);
  /// Closes it, without a wait. A fault of the device ends the run.
  void release(QueueState& queue) noexcept;

  // --- DeviceWatch
  bool look() override;
  bool is_busy() const override { return is_awaited() || engine_->is_busy(); }
  bool is_awaited() const override;
  bool is_over() const override { return is_stopped_ && engine_->has_ended(); }
  bool is_running() const override { return !is_over(); }
  /// Lets it end when all requests are done.
  void stop() override;

 private:
  struct Removal {
    SegmentNumber segment;
    std::shared_ptr<const Flag> done;
  };
  SegmentNumber publish(SegmentNumber number);
  void refuse_full_table() const;
  void end_segment(SegmentNumber number);
  bool end_removals();
  void end_freed_segments();
  bool look_at(std::shared_ptr<QueueState>& queue);
  void take_fault(QueueState& queue);

  Device& device_;
  const AdapterOptions options_;
  Stream stream_;  // of flags
  SegmentTable segments_;
  std::vector<bool> is_live_;  // by segment
  std::unique_ptr<AdapterEngine> engine_;
  std::vector<std::shared_ptr<QueueState>> queues_;  // by number
  std::vector<Removal> removals_;
  std::uint32_t looks_ = 0;
  bool is_stopped_ = false;
  bool is_engine_stopped_ = false;
};

}  // namespace kaon::gpu
