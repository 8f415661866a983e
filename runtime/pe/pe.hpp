// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "kaon/runtime/exchange/promptness.hpp"
#include "kaon/runtime/messages/collection_table.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/messages/reply_table.hpp"
#include "kaon/runtime/messages/running_entry.hpp"
#include "kaon/runtime/pe/held_sends.hpp"
#include "kaon/runtime/pe/parker.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

class Accelerator;
class Backpressure;
class BitQueue;
class Exchange;
class Machine;
class Neighbours;
class Process;
class Quiescence;
class StallWatch;

/// One processing element: a scheduler with a place in a run, and all that lives on it. Driven by one thread; others
/// touch nothing here but the inbound queue and the pool's returned chains.
class Pe final : public Scheduler {
 public:
  Pe(Process& process, PeId id, std::uint16_t local_index);
  ~Pe();

  Process& process() { return process_; }

  // --- parts
  Exchange& exchange() { return *exchange_; }
  Quiescence& quiescence() { return *quiescence_; }
  StallWatch& stall_watch() { return *stall_watch_; }
  Backpressure& backpressure() { return *backpressure_; }
  HeldSends& held_sends() { return held_sends_; }
  Parker& parker() { return parker_; }
  const Parker& parker() const { return parker_; }
  ReplyTable& replies() { return replies_; }
  CollectionTable& collections() { return collections_; }
  const CollectionTable& collections() const { return collections_; }
  /// The message that it is busy with, for messages about errors.
  RunningEntry& running() { return running_; }
  const RunningEntry& running() const { return running_; }
  /// Messages whose priorities are bits; made when it is first asked for.
  BitQueue& bit_queue();

  /// Sends a message to a PE, which runs its entry. Takes the message.
  void route(Message& message, PeId to) {
    const bool is_counted = !(message.flags & kControlMessage);
    if (to == id_ && !looks_at_own_)
      enqueue(message);
    else
      route_elsewhere(message, to);  // a message that cannot be packed was not made
    if (is_counted) count_made();
  }
  /// Is shown each message that is routed; nullptr, as ever when nobody counts them: none is.
  using MessageMeter = void (*)(Pe& pe, const Message& message);
  void set_message_meter(MessageMeter meter);
  /// Lets all that was sent to other PEs leave.
  void flush();

  // --- for a piece of work that runs many entries: see ItemTurns
  /// One of them has ended.
  void end_item() {
    if (has_others_ && promptness_.has_sent() && promptness_.end(kind())) look_at_clock();
  }
  /// True if the rest must wait, because urgent work is ready or the run pauses, ends or has failed.
  bool must_give_way();
  /// All have ended, which took long for one piece of work: the network moves if it is due.
  void end_items(std::uint64_t now);

  // --- devices
  void attach(std::unique_ptr<Accelerator> accelerator);
  /// Throws UsageError when this program uses no devices.
  Accelerator& accelerator();
  bool has_accelerator() const { return accelerator_ != nullptr; }

  // --- for who drives it
  /// Runs what is ready, at most `most` pieces of it, and moves the network. False: nothing was to be done.
  bool run_some(int most);
  /// For work that has a stack of its own and goes over from there to the next: the next piece, when it has this `run`
  /// and the loop would do nothing else before it. The caller has ended and runs that in its stead. nullptr: back to
  /// the loop.
  Work* take_next(void (*run)(Work& self, Pe& pe));
  /// Moves the network without running anything. True: something has moved.
  bool move_network();
  /// Releases what is queued, suspended and alive here. The objects of other PEs of the process are still there.
  void clear();

 private:
  void route_elsewhere(Message& message, PeId to);
  void send_elsewhere(Message& message, PeId to);
  Message* reserialized(Message& message);
  Message* unpack_noted(const Message& message, Reader& in);
  void run(Work& work);
  void look_at_clock();
  bool look_at_timers();
  void flush_neighbours();
  bool has_unsent() const;
  void discard_queues();
  void discard(Work& work);
  void discard_list(Work* work);

  Process& process_;
  bool serialize_always_;
  bool looks_at_own_;  // also messages to itself take the longer way: to be serialized or metered
  bool is_over_ = false;
  bool has_others_;                           // PEs, in this process or another
  std::unique_ptr<Accelerator> accelerator_;  // goes after all that has device memory
  CollectionTable collections_;
  RunningEntry running_;
  ReplyTable replies_;
  // Behind pointers, so that who includes this needs none of their headers.
  std::unique_ptr<Quiescence> quiescence_;
  std::unique_ptr<StallWatch> stall_watch_;
  std::unique_ptr<Exchange> exchange_;
  std::unique_ptr<Neighbours> neighbours_;
  std::unique_ptr<Backpressure> backpressure_;
  Parker parker_;
  Promptness promptness_;
  MessageMeter message_meter_ = nullptr;
  std::uint64_t last_moved_ticks_ = 0;  // when messages last left for other PEs, if that is known
  struct TimerLook {
    int pieces = 0;     // of work, since the last look
    int between = 64;   // so many from one look to the next
    Timers::Time at{};  // of the last
  };
  TimerLook timer_look_;
  int pieces_left_ = 0;   // of this turn
  bool is_idle_ = false;  // in the last turn
  HeldSends held_sends_;
  std::unique_ptr<BitQueue> bit_queue_;
};

/// Notes what a PE runs from now on: for messages about errors, and whether it takes long.
inline void note_running(Pe& pe, const Message& message, std::uint64_t element) {
  pe.running().note(message, element);
  pe.note_kind(message.entry->id);
}
inline void note_running(Pe& pe, const Message& message) { note_running(pe, message, message.element); }
/// The task or entry that runs now, if any does. Takes no memory: it is also said of a crash.
void say_running(const Pe& pe, ShortText& text);
/// Where an exception that has reached the scheduler comes from; empty when nothing has run.
std::string describe_running(const Pe& pe);

/// The collection is there from now on, and messages that waited for it are run.
void add_collection(Pe& pe, CollectionId id, std::unique_ptr<Collection> collection);
/// True if a device is about to give the PE something to do.
bool awaits_device(Pe& pe);
/// Same as Pe::move_network(), but first rejects deferred payloads, as their senders wait; for the end of the run.
void finish_sending(Pe& pe);

/// nullptr on a thread that is no PE's.
Pe* this_pe_or_null() noexcept;

/// Makes `pe` the current one of this thread for the lifetime of the object.
class CurrentPe {
 public:
  explicit CurrentPe(Pe& pe) noexcept;
  ~CurrentPe();
  CurrentPe(const CurrentPe&) = delete;
  CurrentPe& operator=(const CurrentPe&) = delete;

 private:
  Scheduler* previous_;
  Accelerator* previous_accelerator_;
};

}  // namespace kaon::runtime
