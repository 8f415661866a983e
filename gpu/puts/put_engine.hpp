// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "kaon/gpu/device/device_watch.hpp"
#include "kaon/gpu/device/stream_state.hpp"
#include "kaon/gpu/device/stream_watcher.hpp"
#include "kaon/gpu/puts/put.hpp"
#include "kaon/gpu/puts/put_ring.hpp"
#include "kaon/gpu/puts/put_starts.hpp"

namespace kaon::gpu {

class Device;

/// The party that starts the copies of a list of puts.
enum class PutsStartedBy : std::uint8_t {
  automatic,  // the device, where it can; else the host
  device,     // a kernel of one block, by prepared copies: no processor is needed
  host,       // the PE, by its streams, whenever it turns to its network
  program,    // a kernel of the program, by prepared copies: see PreparedPuts::starts()
};

/// How a list of puts is prepared.
struct PreparedPutsOptions {
  PutsStartedBy started_by = PutsStartedBy::automatic;
  /// Prepared copies of each put, unless the host starts them. A device refuses to start one again for some
  /// microseconds after its end, so that with one a put that is started again at once comes later.
  std::uint32_t copies_of_each = 2;
  /// Requests that the ring holds; a power of two.
  std::uint32_t ring = 1024;
  /// Kernels that start puts may wait until a source is free (PutRing::wait_until_sent()): each put has one more word,
  /// in this device's memory.
  bool tells_sent = false;
};

/// The flags that the lists of a PE raise. Each has one list: two might raise it in any order. When that has ended,
/// another may have the flag, and waits until the copies of the first are done.
class RaisedFlags {
 public:
  bool is_taken(const std::uint32_t* flag) const;
  void take(const std::uint32_t* flag) { owners_[flag] = {}; }
  /// Free behind `end`.
  void release(const std::uint32_t* flag, const Position& end) noexcept;
  /// The position behind which a flag is free.
  Position free_at(const std::uint32_t* flag) const;

 private:
  struct Owner {
    bool has_ended = false;
    Position end;
  };
  std::map<const std::uint32_t*, Owner> owners_;
};

/// Serves a list of puts. The device's watches keep it until all copies have ended.
class PutEngine : public DeviceWatch {
 public:
  PutEngine(const PutEngine&) = delete;
  PutEngine& operator=(const PutEngine&) = delete;

  Device& device() const { return device_; }
  /// A kernel that starts puts is the last work of `stream` by now. The engine does not end before it.
  void note_start(StreamState& stream);
  /// Other lists may not raise its flags from now on.
  void claim_flags();
  /// Not automatic.
  PutsStartedBy started_by() const { return started_by_; }
  /// Where kernels leave requests; nullptr: nobody takes any.
  virtual const PutRing* ring() const = 0;
  /// nullptr: this engine starts the copies.
  virtual const PutStarts* starts() const = 0;

  // --- DeviceWatch
  bool is_over() const override { return has_ended_; }
  /// Lets it end when all is copied that the ring holds, behind the starts that streams were given.
  void stop() final;

 protected:
  // Words that different threads poll lie in lines of their own.
  static constexpr std::size_t kWordsOfLine = 32;

  PutEngine(Device& device, std::span<const PutPlaces> puts, PutsStartedBy started_by);
  /// The stream waits until other lists have done with the flags of this one.
  void wait_for_flags(StreamState& stream);
  /// In each look(): behind stop(), calls finish() once streams have done what note_start() tells of, or the run is
  /// over.
  void end_behind_starts() noexcept;
  /// Kernels of the program have ended, so that all requests are there. May throw a fault of the device.
  virtual void finish() = 0;
  /// Ends the run, once, when the report, in pinned memory, has a fault.
  void look_for_fault(const PutReport& report);
  /// This PE's memory of the puts is free for others behind `end`, in whatever order the list and the buffers end.
  void release_behind(const Position& end) noexcept;

  Device& device_;
  const std::vector<PutPlaces> puts_;
  bool is_ending_ = false;   // by stop()
  bool is_stopped_ = false;  // finish() was called
  bool has_ended_ = false;   // all copies have

 private:
  bool have_starts_ended();

  const PutsStartedBy started_by_;
  const std::shared_ptr<RaisedFlags> raised_;
  std::map<const StreamState*, StreamWatcher::OwnedEvent> starts_;  // the last one of each stream
  bool has_failed_ = false;

  void keep_block_until(const Position& end, const void* memory, std::size_t bytes) noexcept;
};

}  // namespace kaon::gpu
