// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/device/stream_state.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {
class Pe;
}

namespace kaon::gpu {

/// The positions of streams that one PE waits for. Nobody blocks: events are recorded, and the device writes a word
/// behind each; when the PE turns to its network it reads the words. Of streams that write none the driver is asked.
/// When the PE goes to sleep, the device is asked to wake it. Waits for one place share an event.
class StreamWatcher {
 public:
  StreamWatcher(Driver& driver, const Device& owner, int device, Pe& pe);
  StreamWatcher(const StreamWatcher&) = delete;
  StreamWatcher& operator=(const StreamWatcher&) = delete;
  ~StreamWatcher();

  /// Records an event for the position now, while nothing more was given to its stream; or, of what it holds back, when
  /// the device gets that.
  void mark(Position position);
  struct Mark {
    NativeEvent event;
    std::uint64_t position;  // of the stream, which is reached then
  };
  /// An event that is reached when the position is, or a little later, for other streams to wait for at once. Not of
  /// what is held back.
  Mark mark_at(Position position) {
    const Pending& pending = event_for(position);
    return {pending.event, pending.position};
  }
  /// True: it is reached, and `work` is not used. Else it is run by a later look().
  bool when_reached(Position position, Work& work);
  /// Removes work that waits here. Does nothing for other work.
  void forget(Work& work) noexcept;

  /// The device has been given what the stream held back.
  void note_launched(StreamState& stream);

  /// Reads the words of all streams that write them, and asks about the oldest event of each other stream, a few
  /// streams a turn. True when one was reached.
  bool look();
  /// Asks the device to wake the PE when the oldest events are reached. False: the emulation has nobody to do so.
  bool arm();
  /// True if some awaited work may wait until a flag is raised. Nothing wakes the PE for that: a stream that waits for
  /// it would occupy one of the device's few hardware queues until then.
  bool awaits_flag() const;
  bool is_empty() const { return pending_.empty() && finishing_.empty() && held_.empty(); }
  /// The streams that wake the PE; to be waited for before the PE goes.
  const std::vector<NativeStream>& wakes() const { return wakes_; }

  struct GiveBack {
    StreamWatcher* watcher;
    const StreamState* stream;
    void operator()(NativeEvent event) const { watcher->give_back(event, *stream); }
  };
  /// An event of this PE's, for others when it ends.
  using OwnedEvent = std::unique_ptr<void, GiveBack>;
  /// One that is reached when all is done that the stream was given by now.
  OwnedEvent record(const StreamState& stream);

 private:
  struct Pending {
    StreamState* stream;
    std::uint64_t position;
    NativeEvent event;
    WorkList waiting;
    NativeStream wake;  // while it is armed
    bool has_word;      // its stream writes it too
  };
  struct Held {  // awaited work that its stream holds back
    StreamState* stream;
    WorkList waiting;
  };
  Held& held_of(StreamState& stream);
  bool is_held(Position position) const {
    return position.stream->owner == &owner_ && position.stream->holds(position.count);
  }
  Pending* find(Position position);
  Pending& event_for(Position position);
  NativeEvent take_event(const StreamState& stream);
  void give_back(NativeEvent event, const StreamState& stream) { free_of(stream).push_back(event); }
  bool read_words();
  bool ask_for_events();
  void finish(std::size_t at);
  void tell();
  NativeStream take_wake();
  bool is_oldest_of_stream(std::size_t at) const;

  Driver& driver_;
  const Device& owner_;
  int device_;
  Pe& pe_;
  // Streams that do nothing but wait for an event and wake the PE: one for each that is awaited asleep, so that a short
  // piece of work wakes the PE while a long one goes on.
  std::vector<NativeStream> wakes_;
  std::vector<NativeStream> free_wakes_;
  std::vector<Pending> pending_;  // in the order in which they were recorded
  std::vector<Held> held_;
  std::size_t cursor_ = 0;
  std::uint64_t turns_ = 0;
  WorkList finishing_;  // of an event that was reached, those that have not been told yet
  std::vector<NativeEvent>& free_of(const StreamState& stream);
  std::vector<std::vector<NativeEvent>> free_events_;  // by device
};

}  // namespace kaon::gpu
