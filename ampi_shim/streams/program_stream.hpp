// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "kaon/ampi_shim/devices/turn_wait.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/gpu/flag.hpp"
#include "kaon/gpu/stream.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::ampi {

class EnqueuedTransfer;
class ProgramStream;

/// A place at which a stream waits until some transfers have ended.
class StreamHold final : public Activity {
 public:
  StreamHold(ProgramStream& stream, std::size_t transfers) : stream_(stream), missing_(transfers) {}
  void transfer_has_ended();

 private:
  friend class ProgramStream;
  ProgramStream& stream_;
  std::size_t missing_;
  StreamHold* next_ = nullptr;
};

/// Describes how an enqueued transfer has failed; the call that enqueued it has returned long before.
struct StreamFailure {
  int error;
  MPI_Status status;
};

/// A stream of the program that MPI calls enqueue work on (MPIX_Stream of MPICH). The PE of the rank begins a transfer
/// when the stream has reached the place of its call, and the stream waits for a flag that the PE raises. Both happen
/// in the turns of the PE's scheduler, so not while a rank of the PE computes without calls of MPI.
class ProgramStream final : private Work {
 public:
  /// Without a device: nothing can be enqueued.
  explicit ProgramStream(Rank& rank) : rank_(rank) {}
  /// `native` is a stream of the PE's device. It lasts until close().
  ProgramStream(Rank& rank, gpu::NativeStream native);
  ProgramStream(const ProgramStream&) = delete;
  ProgramStream& operator=(const ProgramStream&) = delete;
  ~ProgramStream();

  Rank& rank() const { return rank_; }
  bool has_device() const { return stream_ != nullptr; }
  gpu::Stream& stream() { return *stream_; }

  /// The transfer begins when the stream has done what it was given so far; transfers begin in the order of the calls.
  void begin_behind(EnqueuedTransfer& transfer);
  /// Later work of the stream waits for so many transfers.
  StreamHold& hold(std::size_t transfers);
  /// A transfer is under way, or has ended.
  void transfer_begins() { ++under_way_; }
  void transfer_has_ended() { --under_way_; }
  bool is_idle() const { return under_way_ == 0 && first_hold_ == nullptr; }
  /// On a strand of the rank: until the stream has done what it was given so far.
  void synchronize();
  /// The native stream is not used any more. It has been synchronized.
  void close();

  /// Device memory for so many bytes, in the order of the stream: its next caller gets the same.
  std::byte* scratch(std::size_t bytes);

  void note_failure(int error, const MPI_Status& status);
  /// The first failure since this was asked last.
  std::optional<StreamFailure> take_failure() { return std::exchange(failure_, std::nullopt); }

 private:
  friend class StreamHold;
  struct Scratch {
    std::byte* memory;
    std::size_t bytes;
  };

  bool awaits_first();
  void begin_reached();
  void release_ended();

  Rank& rank_;
  std::unique_ptr<gpu::Stream> stream_;
  std::optional<gpu::Flag> flag_;  // raised once a hold, in their order
  std::optional<TurnWait<gpu::PositionWait>> wait_;
  EnqueuedTransfer* first_ = nullptr;  // that has yet to begin
  EnqueuedTransfer* last_ = nullptr;
  StreamHold* first_hold_ = nullptr;
  StreamHold* last_hold_ = nullptr;
  std::uint32_t holds_ = 0;
  std::size_t under_way_ = 0;
  std::vector<Scratch> scratch_;  // the last one is in use; earlier work of the stream may still use the others
  std::optional<StreamFailure> failure_;
};

}  // namespace kaon::ampi
