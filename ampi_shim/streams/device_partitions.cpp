// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/streams/device_partitions.hpp"

#include <algorithm>

#include "kaon/ampi_shim/devices/program_device.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::ampi {
namespace {

constexpr std::size_t kWordsBehind = 2;  // the round, and whether a kernel has named no partition

}  // namespace

DevicePartitions::DevicePartitions(Rank& rank, PartitionedRequest& request)
    : rank_(rank),
      request_(&request),
      words_(static_cast<std::size_t>(request.partitions()) + kWordsBehind, ProgramDevice::of(rank).idle_stream()) {
  std::fill_n(words(), static_cast<std::size_t>(request.partitions()) + kWordsBehind, 0u);
  request.set_round_word(words() + request.partitions());
  run = [](Work& self, Pe&) { static_cast<DevicePartitions&>(self).take_news(); };
}

DevicePartitions::DevicePartitions(Rank& rank, PartitionedSend& send)
    : DevicePartitions(rank, static_cast<PartitionedRequest&>(send)) {
  send_ = &send;
}

DevicePartitions::DevicePartitions(Rank& rank, PartitionedReceive& receive)
    : DevicePartitions(rank, static_cast<PartitionedRequest&>(receive)) {
  receive_ = &receive;
}

void DevicePartitions::end() {
  if (request_ != nullptr) request_->set_round_word(nullptr);
  request_ = nullptr;
  note_wait();
}

void DevicePartitions::note_wait() {
  const bool waits = send_ != nullptr && is_busy();
  if (waits == wait_.has_value()) return;
  if (waits) {
    wait_.emplace(static_cast<Work&>(*this)).await();
  } else {
    wait_->give_up();
    wait_.reset();
  }
}

bool DevicePartitions::is_news(int partition) {
  const bool is_marked = word(partition) == request_->round();
  if (send_ != nullptr) return is_marked && !send_->is_ready(partition);
  return !is_marked && receive_->has_arrived(partition);
}

// What is found here happens at a turn of the scheduler's: messages are sent there.
bool DevicePartitions::look() {
  note_wait();
  if (request_ == nullptr || is_queued_ || request_->round() == 0) return false;
  if (send_ != nullptr && !request_->is_active()) return false;
  bool has_happened = ProgramDevice::of(rank_).device().driver().advance();  // of an emulation without threads
  const int count = request_->partitions();
  bool has_news = word(count + 1) != 0;
  for (int i = 0; i < count && !has_news; ++i) has_news = is_news(i);
  if (!has_news) return has_happened;
  is_queued_ = true;
  rank_.scheduler().enqueue(*this);
  return true;
}

void DevicePartitions::take_news() {
  is_queued_ = false;
  if (request_ == nullptr) return;
  const int count = request_->partitions();
  if (word(count + 1) != 0)
    rank_.abort(kExitOther, "has a kernel that has named a partition which its request of " + std::to_string(count) +
                                " partitions has not (KAON_Device_pready or KAON_Device_parrived)");
  for (int i = 0; i < count; ++i) {
    if (!is_news(i)) continue;
    if (send_ != nullptr)
      send_->ready(i);
    else  // release: behind the data of the partition
      std::atomic_ref<std::uint32_t>(words()[i]).store(request_->round(), std::memory_order_release);
  }
  if (send_ != nullptr) let_leave(rank_);
}

}  // namespace kaon::ampi
