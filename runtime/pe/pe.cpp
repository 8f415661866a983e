// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/pe.hpp"

#include <algorithm>
#include <string>

#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/pe/collection.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/work/task.hpp"
#include "kaon/runtime/base/ticks.hpp"

namespace kaon::runtime {
namespace {

thread_local Pe* current = nullptr;

constexpr double kTicksPerUs = 3000;  // roughly: nothing here depends on it but how soon messages leave

}  // namespace

[[gnu::noinline]] Pe& this_pe() noexcept { return *current; }
[[gnu::noinline]] Pe* this_pe_or_null() noexcept { return current; }

CurrentPe::CurrentPe(Pe& pe) noexcept : previous_(std::exchange(current, &pe)) {}
CurrentPe::~CurrentPe() { current = previous_; }

void* allocate_frame(std::size_t bytes) { return this_pe().pool().allocate(bytes); }
void release_frame(void* frame, std::size_t bytes) noexcept { this_pe().pool().release(frame, bytes); }

Pe::Pe(Process& process, PeId id, std::uint16_t local_index)
    : queue_limit(process.options().queue_limit_mib << 20),
      process_(process),
      id_(id),
      serialize_always_(process.options().serialize_always),
      has_others_(process.total_pes() > 1),
      company_ticks_(static_cast<std::uint64_t>(process.options().company_us * kTicksPerUs)),
      pool_(local_index),
      outboxes_(process.total_pes()),
      handovers_(process.local_pes()),
      payload_counter_mask_(~0u >> (32 - process.options().payload_counter_bits)),
      quiescence_(*this),
      arrivals_(*this) {}

Pe::~Pe() = default;

void Pe::open_port(Machine& machine) { port_ = machine.open_port(id_, *this); }

void Pe::attach(std::unique_ptr<Accelerator> accelerator) { accelerator_ = std::move(accelerator); }

Accelerator& Pe::accelerator() {
  if (accelerator_ == nullptr)
    throw UsageError("this program uses no devices: include \"gpu/gpu.hpp\" where its main() is");
  return *accelerator_;
}

bool Pe::awaits_device() const { return accelerator_ != nullptr && accelerator_->is_awaited(); }

bool Pe::is_sending() const {
  return (port_ != nullptr && port_->is_sending()) || (accelerator_ != nullptr && accelerator_->is_moving());
}

Pool& Pe::foreign_pool(std::uint16_t home) { return process_.pool(home); }

// --- work

void Pe::push(Work& work) {
  if (inbound_.push(work)) waker_.wake();
}

void Pe::route_elsewhere(Message& message, PeId to) {
  if (to == id_) return ready_.push(*reserialized(message));
  if (process_.is_local(to)) return hand_over(*(serialize_always_ ? reserialized(message) : &message), to);
  outbox(to).append(message);
  if (sends_at_once()) flush();
}

void Pe::hand_over(Message& message, PeId to) {
  Handover& handover = handovers_[to - process_.first_pe()];
  if (handover.newest == nullptr) {
    handover.oldest = &message;
    handovers_to_.push_back(to - process_.first_pe());
  }
  message.next = handover.newest;
  handover.newest = &message;
  if (sends_at_once()) flush();
}

bool Pe::run_some(int most) {
  take_inbound();
  if (has_others_) last_ticks_ = ticks();
  int ran = 0;
  for (Work* work; ran < most && (work = ready_.pop()) != nullptr; ++ran) {
    if (const Work* later = ready_.peek(1)) __builtin_prefetch(later);
    work->run(*work, *this);
    if (inbound_.has_work()) take_inbound();
    if (has_others_) note_time();
  }
  take_timers();
  if (ready_.empty()) quiescence_.pe_is_idle();  // before the network, which takes its answer along
  const bool moved = move_network();
  return ran > 0 || moved || !ready_.empty();
}

void Pe::take_inbound() {
  for (Work* work = inbound_.take_all(); work != nullptr;) {
    Work* next = work->next;
    enqueue(*work);
    work = next;
  }
}

void Pe::take_timers() {
  if (timers_.empty()) return;
  const auto now = Timers::Clock::now();
  while (Work* work = timers_.take_due(now)) enqueue(*work);
}

// --- network

bool Pe::look_for_work() {
  constexpr int kTurns = 32;
  for (int turn = 0; turn < kTurns; ++turn) {
    if (inbound_.has_work()) return true;
    if (accelerator_ != nullptr && accelerator_->progress()) return true;
    if (port_ == nullptr)
      relax();
    else if (port_->progress())
      return true;
  }
  return false;
}

void Pe::note_time() {
  const std::uint64_t now = ticks(), took = now - last_ticks_;
  last_ticks_ = now;
  longest_ticks_ = std::max(took, longest_ticks_ - longest_ticks_ / 16);  // a long entry counts for some while
  if (now - last_moved_ticks_ > company_ticks_) move_network();
}

bool Pe::move_network() {
  throw_failure();
  flush();
  last_moved_ticks_ = ticks();
  bool moved = accelerator_ != nullptr && accelerator_->progress();
  if (port_ == nullptr) return moved;
  moved |= port_->progress();
  if (!dirty_.empty()) flush();
  return moved;
}

void Pe::flush() {
  for (const PeId place : handovers_to_) {
    const Handover handover = std::exchange(handovers_[place], {});
    Pe& to = process_.pe(place);
    if (to.inbound_.push(*handover.newest, *handover.oldest)) to.waker_.wake();
  }
  handovers_to_.clear();
  // by index: a flush may make another outbox dirty
  for (std::size_t i = 0; i < dirty_.size(); ++i) dirty_[i]->flush();
  dirty_.clear();
}

Outbox& Pe::outbox(PeId to) {
  if (outboxes_[to] == nullptr) {
    if (port_ == nullptr)
      throw UsageError("PE " + std::to_string(to) + " is in another process, but there is no network");
    outboxes_[to] = std::make_unique<Outbox>(*this, to, process_.options().credits);
  }
  return *outboxes_[to];
}

std::uint32_t Pe::next_payload_counters(std::uint32_t count) {
  const std::uint32_t first = payload_counter_;
  payload_counter_ = (payload_counter_ + count) & payload_counter_mask_;
  return first;
}

void Pe::batch_arrived(Lane lane, std::span<const std::byte> bytes) {
  BatchReader batch(bytes);
  const BatchHeader& header = batch.header();
  if (header.source >= process_.total_pes() || process_.local(header.source) != nullptr)
    throw CorruptMessage("a batch of messages claims to come from PE " + std::to_string(header.source));
  if (header.epoch != process_.epoch()) return;  // from before a rollback
  Outbox& back = outbox(header.source);
  back.credits_returned(header.credits);
  for (WireMessage message; batch.next(message);) {
    if (((message.header.flags & kControlMessage) != 0) != (lane == Lane::control))
      throw CorruptMessage("a message came among those of another lane");
    arrivals_.accept(message, header.source);
  }
  if (arrivals_.is_batch_taken() && lane == Lane::data) back.batch_taken();
}

std::string Pe::describe_running() const {
  if (!raised_in_.empty()) return raised_in_;
  if (running_.entry == nullptr) return {};
  const std::string name = readable_name(running_.entry->name);
  std::string text = (name.starts_with("constructor of ") ? "the " : "the entry ") + name;
  const bool has_element = running_.collection != kNoCollection && running_.collection < collections_.size() &&
                           collections_[running_.collection] != nullptr;
  if (has_element) text += " of " + collections_[running_.collection]->name_of(running_.element);
  return text + ", run by a message from PE " + std::to_string(running_.source);
}

// --- collections

void Pe::add_collection(CollectionId id, std::unique_ptr<Collection> collection) {
  if (id >= collections_.size()) collections_.resize(id + 1);
  collections_[id] = std::move(collection);
  const auto waiting = awaiting_collection_.find(id);
  if (waiting == awaiting_collection_.end()) return;
  Work* work = waiting->second;
  awaiting_collection_.erase(waiting);
  while (work != nullptr) {
    auto& message = static_cast<Message&>(*work);
    work = work->next;
    if (message.entry->chare_type != collections_[id]->chare_type())
      throw CorruptMessage("a message for " + std::string(message.entry->name) + " named a collection of other chares");
    enqueue(message);
  }
}

void Pe::await_collection(Message& message) {
  if (message.collection >= kMaxCollections) throw CorruptMessage("a message names a collection that cannot be");
  Work*& waiting = awaiting_collection_[message.collection];
  message.next = waiting;
  waiting = &message;
}

// --- waiting

std::chrono::milliseconds Pe::time_to_sleep() const {
  constexpr std::chrono::milliseconds kTick{100};  // the watchdog's: what a missed wake-up costs at most
  if (timers_.empty()) return kTick;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(timers_.next() - Timers::Clock::now());
  return std::clamp(left, std::chrono::milliseconds{0}, kTick);
}

void Pe::sleep() {
  pool_.send_chains_home();
  if (!inbound_.try_sleep()) return;
  if ((accelerator_ != nullptr && !accelerator_->arm()) || (port_ != nullptr && !port_->arm())) {
    inbound_.wake();
    return;
  }
  wake_from(waker_.sleep(port_ != nullptr ? port_->event_fd() : -1, time_to_sleep()));
}

void Pe::wake_from(Waker::Reason reason) {
  const bool was_pushed = inbound_.wake();
  if (reason != Waker::Reason::time_out || !was_pushed) return;
  // A producer saw us asleep just now, or its wake-up got lost: then the signal will not come either.
  if (waker_.sleep(-1, std::chrono::milliseconds{10}) == Waker::Reason::time_out) ++missed_wakeups_;
}

Message* Pe::reserialized(Message& message) {
  std::vector<PayloadRecord*> leaving, arriving;
  Writer size(nullptr, 0, &leaving);
  message.entry->pack(message, size);
  leaving.clear();
  std::vector<std::byte> bytes(size.bytes());
  Writer out(bytes.data(), bytes.size(), &leaving);
  message.entry->pack(message, out);
  Reader in(bytes.data(), bytes.size(), &arriving);
  Message* copy = message.entry->unpack(*message.entry, in, *this);
  for (std::size_t i = 0; i < arriving.size(); ++i) hand_memory(*leaving[i], *arriving[i]);
  copy_header(message, *copy);
  message.entry->destroy(message, *this);
  return copy;
}

}  // namespace kaon::runtime
