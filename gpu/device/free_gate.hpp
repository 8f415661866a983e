// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <mutex>
#include <vector>

#include "kaon/gpu/device/stream_state.hpp"

namespace kaon::gpu {

/// When memory may be given back to the driver. cudaFree, cudaFreeHost and cudaHostUnregister wait for all work of the
/// process' devices, and meanwhile nearly every call of its other threads waits for them. Behind open-ended work, which
/// may wait for something that one of these threads does next (a resident kernel, a stream that waits for a flag, a
/// library's collective), that would never end. So memory goes back only while no stream has such work, and a thread
/// that is about to give some waits until the memory is gone. Any thread.
///
/// Orders, all sequentially consistent: who gives work 1 stores the stream's `open_ended`, 2 loads `is_freeing`; who
/// frees 1 stores `is_freeing`, 2 loads `open_ended` of all streams. At least one of the two sees the other.
class FreeGate {
 public:
  static constexpr int kAnyDevice = -1;
  FreeGate() = default;
  FreeGate(const FreeGate&) = delete;
  FreeGate& operator=(const FreeGate&) = delete;

  /// One more stream of the process, which stays as long as memory is given back.
  void add(const StreamState& stream);
  /// The next work of the stream is open-ended; called before the stream gets it, by its owner.
  void announce(StreamState& stream);
  /// True if a stream has open-ended work that is not known to have ended; of one device, or of any.
  bool is_open_ended(int device = kAnyDevice);

  /// Leave to give memory back, or to do what waits for all work of one device, for the time of its life.
  class Pass {
   public:
    /// `gate`: nullptr where no streams are.
    explicit Pass(FreeGate* gate, int device = kAnyDevice);
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    ~Pass();
    explicit operator bool() const { return is_granted_; }

   private:
    FreeGate* gate_;
    std::unique_lock<std::mutex> hold_;
    bool is_granted_ = true;
  };

 private:
  bool has_open_ended(int device) const;

  std::mutex lock_;  // guards streams_; who frees has it
  std::vector<const StreamState*> streams_;
  std::atomic<bool> is_freeing_{false};
};

}  // namespace kaon::gpu
