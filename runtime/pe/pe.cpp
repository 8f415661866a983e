// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/pe.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/ticks.hpp"
#include "kaon/runtime/exchange/backpressure.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/exchange/neighbours.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/pe/bit_queue.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/quiescence.hpp"
#include "kaon/runtime/pe/stall_watch.hpp"

namespace kaon::runtime {

Pe& this_pe() noexcept { return static_cast<Pe&>(this_scheduler()); }
Pe* this_pe_or_null() noexcept { return static_cast<Pe*>(this_scheduler_or_null()); }

CurrentPe::CurrentPe(Pe& pe) noexcept
    : previous_(switch_scheduler(&pe)),
      previous_accelerator_(switch_accelerator(pe.has_accelerator() ? &pe.accelerator() : nullptr)) {}
CurrentPe::~CurrentPe() {
  switch_scheduler(previous_);
  switch_accelerator(previous_accelerator_);
}

Pe::Pe(Process& process, PeId id, std::uint16_t local_index)
    : Scheduler(id, local_index, process.pools()),
      process_(process),
      serialize_always_(process.options().serialize_always),
      looks_at_own_(serialize_always_),
      has_others_(process.total_pes() > 1),
      quiescence_(std::make_unique<Quiescence>(*this)),
      stall_watch_(std::make_unique<StallWatch>(*this)),
      exchange_(std::make_unique<Exchange>(*this, *this, collections_, running_, process.exchange_setup())),
      neighbours_(std::make_unique<Neighbours>(*this, process.schedulers(), process.local_pes(),
                                               process.exchange_setup().queue_limit)),
      backpressure_(
          std::make_unique<Backpressure>(*this, *neighbours_, process.first_pe(), process.local_pes(), *exchange_)),
      parker_(*this, inbound_, *exchange_, running_),
      promptness_(static_cast<std::uint64_t>(process.options().coalesce_us * ticks_per_us()),
                  process.options().coalesce_us < 1000) {}

Pe::~Pe() = default;

void Pe::attach(std::unique_ptr<Accelerator> accelerator) {
  accelerator_ = std::move(accelerator);
  exchange_->attach(accelerator_.get());
  switch_accelerator(accelerator_.get());
}

Accelerator& Pe::accelerator() {
  if (accelerator_ == nullptr)
    throw UsageError("this program uses no devices: main() says kaon::run(..., kaon::with_devices), or --device does");
  return *accelerator_;
}

// --- sending

void Pe::set_message_meter(MessageMeter meter) {
  message_meter_ = meter;
  looks_at_own_ = serialize_always_ || meter != nullptr;
}

void Pe::flush() {
  flush_neighbours();
  exchange_->flush();
}

// Who hears of work for a device may wait for it there.
void Pe::flush_neighbours() {
  if (!neighbours_->has_unsent()) return;
  if (accelerator_ != nullptr) accelerator_->give_all_held();
  neighbours_->flush();
}

bool Pe::has_unsent() const { return neighbours_->has_unsent() || exchange_->has_unsent(); }

void add_collection(Pe& pe, CollectionId id, std::unique_ptr<Collection> collection) {
  for (Work* work = pe.collections().add(id, std::move(collection)); work != nullptr;)
    pe.enqueue(*std::exchange(work, work->next));
}

bool awaits_device(Pe& pe) { return pe.has_accelerator() && pe.accelerator().is_awaited(); }

// --- running

bool Pe::run_some(int most) {
  take_inbound(*this);
  running_.forget();
  promptness_.begin();
  last_moved_ticks_ = Promptness::kUnknownTime;
  bool ran = resume_due(*this);
  pieces_left_ = most;
  for (Work* work; pieces_left_ > 0 && !must_return() && (work = ready_.pop()) != nullptr; --pieces_left_) {
    if (const Work* later = ready_.peek(1)) __builtin_prefetch(later);
    run(*work);
    ran = true;
    if (++timer_look_.pieces >= timer_look_.between || held_sends_.are_unseen()) look_at_timers();
  }
  running_.forget();
  if (accelerator_ != nullptr) accelerator_->give_held(!ready_.empty());
  const bool was_idle = std::exchange(is_idle_, !ran);
  if (is_idle_ && was_idle) ran |= look_at_timers();
  if (ready_.empty()) held_sends_.send(*this);
  if (ready_.empty()) quiescence_->pe_is_idle();  // before the network, which takes its answer along
  const bool has_moved = move_network();
  return ran || has_moved || !ready_.empty() || !waits().due().empty();
}

[[gnu::always_inline]] inline void Pe::run(Work& work) {
  // What short entries have sent does not wait for a long one to end.
  if (has_others_ && has_unsent() && (work.flags & kIsMessage) &&
      promptness_.is_long_kind(static_cast<Message&>(work).entry->id))
    flush();
  note_kind(Promptness::kUnknownKind);
  running_.forget();  // not every piece of work is a message
  work.run(work, *this);
  if (inbound_.has_work()) take_inbound(*this);
  if (has_others_ && promptness_.end(kind())) look_at_clock();
}

Work* Pe::take_next(void (*run)(Work& self, Pe& pe)) {
  Work* const next = ready_.first();
  if (next == nullptr || next->run != run || pieces_left_ <= 1 || must_return()) return nullptr;
  if (inbound_.has_work() || promptness_.has_sent() || timer_look_.pieces + 1 >= timer_look_.between) return nullptr;
  --pieces_left_;
  ++timer_look_.pieces;
  ready_.pop();
  if (const Work* later = ready_.peek(0)) __builtin_prefetch(later);
  note_kind(Promptness::kUnknownKind);
  return next;
}

// Often enough for timers to be late by kLate, or by one piece of work that takes longer, which is learned after
// kMostBetween of them at most. Each look reads a clock, which takes as long as many an entry.
bool Pe::look_at_timers() {
  constexpr std::chrono::microseconds kLate{200};
  constexpr int kMostBetween = 64;
  last_ticks_ = ticks();
  const Timers::Time now = timers_.now();
  if (timer_look_.pieces >= timer_look_.between) {
    const bool was_late = now - timer_look_.at > kLate;
    timer_look_.between =
        was_late ? std::max(timer_look_.between / 4, 1) : std::min(2 * timer_look_.between, kMostBetween);
  }
  timer_look_.pieces = 0;
  const Timers::Time last = std::exchange(timer_look_.at, now);
  if (accelerator_ != nullptr) accelerator_->give_held(!ready_.empty());
  // Where the PE is never idle, what is held must not wait for ever. The looks come after 1, 2, 4 and so on pieces, so
  // that entries which are long are seen to be.
  if (held_sends_.are_unseen()) {
    held_sends_.note_since(last != Timers::Time{} ? last : now);  // at the earliest
    timer_look_.between = 1;
  }
  if (held_sends_.is_late(now)) held_sends_.send(*this);
  return run_timers(*this, now);
}

bool Pe::must_give_way() {
  if (must_return()) return true;
  if (inbound_.has_work()) take_inbound(*this);  // some of it may be urgent
  return ready_.has_urgent();
}

void Pe::end_items(std::uint64_t now) {
  note_kind(Promptness::kUnknownKind);
  last_ticks_ = now;
  promptness_.begin(Promptness::kUnknownTime);
  const bool is_due =
      last_moved_ticks_ == Promptness::kUnknownTime || now - last_moved_ticks_ > promptness_.coalesce_ticks();
  if (!is_due || !has_others_) return;
  move_network();
  last_moved_ticks_ = now;
}

void Pe::look_at_clock() {
  last_ticks_ = ticks();
  const bool is_known = last_moved_ticks_ != Promptness::kUnknownTime;
  const std::uint64_t since = is_known ? last_moved_ticks_ : promptness_.begin_ticks();
  promptness_.measured(kind(), last_ticks_);
  const bool is_due = since != Promptness::kUnknownTime && last_ticks_ - since > promptness_.coalesce_ticks();
  if (is_due) move_network();
  if (is_due || !is_known) last_moved_ticks_ = last_ticks_;
}

bool Pe::move_network() {
  failures().rethrow_first();
  flush();
  running_.forget();
  const bool has_moved = exchange_->progress();
  flush_neighbours();
  return has_moved;
}

std::string describe_running(const Pe& pe) {
  if (!pe.failures().place().empty()) return pe.failures().place();
  ShortText text;
  say_running(pe, text);
  return text.str();
}

void say_running(const Pe& pe, ShortText& text) {
  if (pe.root() != nullptr)
    pe.root()->say_name(text);
  else
    pe.running().say(pe.collections(), text);
}

}  // namespace kaon::runtime
