// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "kaon/gpu/device/shared_mapping.hpp"
#include "kaon/gpu/engines/notice_board.hpp"

namespace kaon::gpu {

/// The boards of the PEs of a process, and what it has opened of those of other processes of the host, which stays to
/// the end of the run. Any thread.
class NoticeBoards {
 public:
  using AddressOf = std::function<SharedMapping::Address(int process)>;
  NoticeBoards(Driver& driver, int pes) : driver_(driver), pes_(pes) {}
  NoticeBoards(const NoticeBoards&) = delete;
  NoticeBoards& operator=(const NoticeBoards&) = delete;

  /// Where others find those of this process, which are made with the first call. Throws OutOfMemory.
  SharedMapping::Address address();
  void meet(AddressOf address_of);

  /// By the index of a PE among those of its process.
  NoticeBoard own(PeId local_index);
  /// Throws UsageError when this process may not open it.
  NoticeBoard of(int process, PeId local_index);

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(pes_) * NoticeBoard::kBytes; }
  SharedMapping& own_memory();

  Driver& driver_;
  int pes_;          // of each process
  std::mutex lock_;  // guards all below
  std::unique_ptr<SharedMapping> own_;
  AddressOf address_of_;
  std::map<int, SharedMapping> opened_;  // by process
};

}  // namespace kaon::gpu
