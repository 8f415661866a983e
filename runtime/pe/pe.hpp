// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kaon/runtime/exchange/arrivals.hpp"
#include "kaon/runtime/work/errand.hpp"
#include "kaon/runtime/work/inbound_queue.hpp"
#include "kaon/runtime/ports/machine.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/exchange/outbox.hpp"
#include "kaon/runtime/memory/pool.hpp"
#include "kaon/runtime/pe/quiescence.hpp"
#include "kaon/runtime/work/reply_table.hpp"
#include "kaon/runtime/work/run_queue.hpp"
#include "kaon/runtime/work/timers.hpp"
#include "kaon/runtime/payloads/transfer_report.hpp"
#include "kaon/runtime/work/waker.hpp"

namespace kaon::runtime {

class Accelerator;
class Collection;
class Process;

/// One processing element: what it has to run and all that belongs to it. Driven by one thread; nothing here is
/// touched by another but the inbound queue and the pool's returned chains.
class Pe final : public PortClient {
 public:
  Pe(Process& process, PeId id, std::uint16_t local_index);
  Pe(const Pe&) = delete;
  Pe& operator=(const Pe&) = delete;
  ~Pe();

  PeId id() const { return id_; }
  Process& process() { return process_; }
  Pool& pool() { return pool_; }
  Pool& pool_of(std::uint16_t home) { return home == pool_.home() ? pool_ : foreign_pool(home); }

  // --- work
  void enqueue(Work& work) { ready_.push(work); }
  /// Takes out Work of priority 0 that goes before its turn came.
  void forget(const Work& work) { ready_.forget(work); }
  /// From any thread.
  void push(Work& work);
  /// Sends a message to a PE, which runs its entry. Takes the message.
  void route(Message& message, PeId to) {
    if (!(message.flags & kControlMessage)) ++counts_.made;
    if (to == id_ && !serialize_always_)
      ready_.push(message);
    else
      route_elsewhere(message, to);
  }
  /// Runs what is ready, at most `most` pieces of it, and moves the network. False: nothing was to be done.
  bool run_some(int most);
  /// Waits a short while for something to come, without running it. False: nothing came.
  bool look_for_work();
  /// Whether a device is about to give it something to do.
  bool awaits_device() const;
  bool is_idle() const { return ready_.empty() && !inbound_.has_work(); }

  // --- counting, for quiescence. Something made must be done, on this PE or another.
  void made() { ++counts_.made; }
  void done() { ++counts_.done; }
  const QuiescenceCounts& counts() const { return counts_; }
  Quiescence& quiescence() { return quiescence_; }

  // --- network
  void open_port(Machine& machine);
  Port* port() { return port_.get(); }
  /// Moves the network without running anything, and takes later payloads off their senders, who wait; for the end of
  /// the run.
  void finish_sending() {
    reject_later_payloads();  // again and again: their messages may come after the end
    move_network();
  }
  void close_port() { port_.reset(); }
  void batch_arrived(Lane lane, std::span<const std::byte> bytes) override;
  Outbox& outbox(PeId to);
  void outbox_is_dirty(Outbox& outbox) { dirty_.push_back(&outbox); }
  void flush();
  std::uint32_t next_payload_counters(std::uint32_t count);
  std::uint32_t payload_counter_mask() const { return payload_counter_mask_; }
  /// Bytes that wait for credits, and the most there may be.
  std::size_t queued_bytes = 0;
  std::size_t queue_limit = 0;

  // --- devices
  void attach(std::unique_ptr<Accelerator> accelerator);
  /// Throws UsageError when this program uses no devices.
  Accelerator& accelerator();
  bool has_accelerator() const { return accelerator_ != nullptr; }
  /// Which ways payloads took.
  TransferReport& transfers() { return transfers_; }
  /// Payloads that are still with their senders, because their post rules said later().
  void note_later(PayloadRecord& record) { later_.push_back(&record); }
  void forget_later(PayloadRecord& record) { std::erase(later_, &record); }
  /// Whether something sent has not left yet.
  bool is_sending() const;

  // --- what lives here
  ReplyTable& replies() { return replies_; }
  Timers& timers() { return timers_; }
  /// nullptr when this PE has not made it yet.
  Collection* collection(CollectionId id) { return id < collections_.size() ? collections_[id].get() : nullptr; }
  void add_collection(CollectionId id, std::unique_ptr<Collection> collection);
  /// Keeps a message for a collection that this PE has yet to make.
  void await_collection(Message& message);
  /// Releases what is queued, suspended and alive here. The objects of other PEs of the process are still there.
  void clear();
  Arrivals& arrivals() { return arrivals_; }
  Errand::List& errands() { return errands_; }

  // --- waiting
  Waker& waker() { return waker_; }
  /// Sleeps until there may be something to do, or until the watchdog's tick.
  void sleep();
  std::uint64_t missed_wakeups() const { return missed_wakeups_; }

  /// Ends the run soon; for faults found where nothing can be thrown.
  void fail(std::exception_ptr error) noexcept { failure_ = std::move(error); }
  void throw_failure() {
    if (failure_ != nullptr) [[unlikely]]
      std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  bool is_stopped() const { return is_stopped_; }
  void stop() { is_stopped_ = true; }

  /// Notes what runs from now on, for messages about errors.
  void runs(const Message& message) { running_ = {message.entry, message.element, message.collection, message.source}; }
  /// Of an exception that reaches the scheduler later, after others had run: what it has left.
  void raised_in(std::string place) { raised_in_ = std::move(place); }
  /// Where an exception that has reached the scheduler comes from; empty when nothing has run.
  std::string describe_running() const;

 private:
  /// Messages on their way to another PE of this process: handed over together, which costs the other's cache line
  /// once.
  struct Handover {
    Work* newest = nullptr;
    Work* oldest = nullptr;
  };
  struct Running {
    const EntryRecord* entry = nullptr;
    std::uint64_t element = 0;
    CollectionId collection = kNoCollection;
    PeId source = 0;
  };
  static constexpr CollectionId kMaxCollections = 1u << 20;

  Pool& foreign_pool(std::uint16_t home);
  void reject_later_payloads();
  void hand_over(Message& message, PeId to);
  void route_elsewhere(Message& message, PeId to);
  Message* reserialized(Message& message);
  void discard(Work& work);
  void discard_list(Work* work);
  void take_inbound();
  void take_timers();
  bool move_network();
  void note_time();
  /// While entries take long, what they send would wait for their end.
  bool sends_at_once() const { return longest_ticks_ > 3 * company_ticks_; }
  std::chrono::milliseconds time_to_sleep() const;
  void wake_from(Waker::Reason reason);

  Process& process_;
  PeId id_;
  bool serialize_always_;
  bool has_others_;              // PEs, in this process or another
  std::uint64_t company_ticks_;  // the longest time that messages wait for company while this PE runs entries
  bool is_stopped_ = false;
  QuiescenceCounts counts_;
  Pool pool_;
  RunQueue ready_;
  InboundQueue inbound_;
  Waker waker_;
  std::unique_ptr<Accelerator> accelerator_;  // goes after all that has device memory
  std::unique_ptr<Port> port_;
  std::vector<std::unique_ptr<Outbox>> outboxes_;  // by PE; empty until something is sent there
  std::vector<Outbox*> dirty_;
  std::vector<Handover> handovers_;  // by place in the process
  std::vector<PeId> handovers_to_;   // those that have messages
  std::uint32_t payload_counter_ = 0;
  std::uint32_t payload_counter_mask_ = ~0u;
  ReplyTable replies_;
  Timers timers_;
  Quiescence quiescence_;
  Arrivals arrivals_;
  Errand::List errands_;
  std::vector<std::unique_ptr<Collection>> collections_;
  std::unordered_map<CollectionId, Work*> awaiting_collection_;
  Running running_;
  std::string raised_in_;
  TransferReport transfers_;
  std::vector<PayloadRecord*> later_;
  std::exception_ptr failure_;
  std::uint64_t missed_wakeups_ = 0;
  std::uint64_t last_moved_ticks_ = 0;  // when messages last left for other PEs
  std::uint64_t last_ticks_ = 0;        // when the last piece of work ended
  /// How long the longest of the latest pieces of work took; forgets slowly. At first nothing is known, so long.
  std::uint64_t longest_ticks_ = 1'000'000;
};

/// The PE whose thread this is. Not inlined: a stack may continue on another thread, and then an address that the
/// compiler had kept of the thread's storage would be the old one's.
Pe& this_pe() noexcept;
Pe* this_pe_or_null() noexcept;
/// Says that an object such as a static one was destroyed when no PE was there to take its memory back.
void warn_outlived(const char* what) noexcept;
/// Makes `pe` the current one of this thread for the lifetime of the object.
class CurrentPe {
 public:
  explicit CurrentPe(Pe& pe) noexcept;
  ~CurrentPe();
  CurrentPe(const CurrentPe&) = delete;
  CurrentPe& operator=(const CurrentPe&) = delete;

 private:
  Pe* previous_;
};

}  // namespace kaon::runtime
