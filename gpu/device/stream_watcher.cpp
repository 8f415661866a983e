// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/stream_watcher.hpp"

#include <algorithm>
#include <utility>

#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

constexpr std::size_t kLooksATurn = 4;  // each is a call of the driver of about half a microsecond
/// Words tell no faults of a device: in one of so many turns the driver is asked about these streams too.
constexpr std::uint64_t kTurnsPerQuestion = 64;
/// In the flags of Work that waits here, so that the end of what does not costs no search.
constexpr std::uint8_t kAwaitsStream = 1;

}  // namespace

StreamWatcher::StreamWatcher(Driver& driver, const Device& owner, int device, Pe& pe)
    : driver_(driver), owner_(owner), device_(device), pe_(pe) {}

StreamWatcher::~StreamWatcher() {
  for (const Pending& pending : pending_) driver_.destroy_event(pending.event);
  for (const auto& events : free_events_)
    for (NativeEvent event : events) driver_.destroy_event(event);
  for (NativeStream wake : wakes_) driver_.destroy(wake);
}

std::vector<NativeEvent>& StreamWatcher::free_of(const StreamState& stream) {
  const auto device = static_cast<std::size_t>(stream.device);
  if (free_events_.size() <= device) free_events_.resize(device + 1);
  return free_events_[device];
}

NativeEvent StreamWatcher::take_event(const StreamState& stream) {
  auto& events = free_of(stream);
  if (events.empty()) return driver_.make_event(stream.device);
  NativeEvent event = events.back();
  events.pop_back();
  return event;
}

StreamWatcher::OwnedEvent StreamWatcher::record(const StreamState& stream) {
  OwnedEvent event(take_event(stream), {this, &stream});
  driver_.record(event.get(), stream.native);
  return event;
}

StreamWatcher::Pending* StreamWatcher::find(Position position) {
  for (Pending& pending : pending_)
    if (pending.stream == position.stream && pending.position >= position.count) return &pending;
  return nullptr;
}

bool StreamWatcher::when_reached(Position position, Work& work) {
  if (position.is_known_reached()) return true;
  (is_held(position) ? held_of(*position.stream).waiting : event_for(position).waiting).add(work);
  work.flags |= kAwaitsStream;
  return false;
}

void StreamWatcher::mark(Position position) {
  if (position.is_known_reached()) return;
  if (is_held(position))
    held_of(*position.stream);
  else
    event_for(position);
}

StreamWatcher::Held& StreamWatcher::held_of(StreamState& stream) {
  for (Held& held : held_)
    if (held.stream == &stream) return held;
  return held_.emplace_back(Held{&stream, {}});
}

void StreamWatcher::note_launched(StreamState& stream) {
  const auto held = std::find_if(held_.begin(), held_.end(), [&](const Held& each) { return each.stream == &stream; });
  if (held == held_.end()) return;
  event_for({&stream, stream.submitted}).waiting = held->waiting;  // it is new, like the position
  held_.erase(held);
}

StreamWatcher::Pending& StreamWatcher::event_for(Position position) {
  if (Pending* pending = find(position)) return *pending;
  OwnedEvent event = record(*position.stream);
  const bool is_own = position.stream->owner == &owner_;
  const std::uint64_t recorded = is_own ? position.stream->launched() : position.count;
  // Of a stream of another PE only that PE writes the word, which never goes back.
  const bool has_word = is_own && position.stream->word != nullptr;
  if (has_word) driver_.write_word(position.stream->word, recorded, position.stream->native);
  pending_.push_back({position.stream, recorded, event.get(), {}, nullptr, has_word});
  (void)event.release();  // of the list from here on
  return pending_.back();
}

void StreamWatcher::forget(Work& work) noexcept {
  if (!(work.flags & kAwaitsStream)) return;
  work.flags &= static_cast<std::uint8_t>(~kAwaitsStream);
  if (finishing_.remove(work)) return;
  for (Held& held : held_)
    if (held.waiting.remove(work)) return;
  for (Pending& pending : pending_)
    if (pending.waiting.remove(work)) return;
}

bool StreamWatcher::is_oldest_of_stream(std::size_t at) const {
  return std::none_of(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(at),
                      [&](const Pending& earlier) { return earlier.stream == pending_[at].stream; });
}

bool StreamWatcher::look() {
  if (!finishing_.empty()) tell();  // whom a fault has kept from it
  if (pending_.empty()) return false;
  bool has_reached = driver_.advance();
  has_reached |= read_words();
  return ask_for_events() || has_reached;
}

// Those that were there at the beginning: who is told may await the next one.
bool StreamWatcher::read_words() {
  const std::size_t before = pending_.size();
  std::size_t at = 0;
  for (std::size_t turn = before; turn > 0 && at < pending_.size(); --turn) {
    const Pending& pending = pending_[at];
    if (pending.has_word && pending.stream->has_written(pending.position))
      finish(at);
    else
      ++at;
  }
  return at < before;
}

bool StreamWatcher::ask_for_events() {
  const bool asks_all = ++turns_ % kTurnsPerQuestion == 0;
  bool has_reached = false;
  std::size_t looks = 0;
  for (std::size_t turn = pending_.size(); turn > 0 && looks < kLooksATurn && !pending_.empty(); --turn) {
    if (cursor_ >= pending_.size()) cursor_ = 0;
    if (pending_[cursor_].has_word && !asks_all) {
      ++cursor_;
      continue;
    }
    if (!is_oldest_of_stream(cursor_)) {
      ++cursor_;
      continue;
    }
    ++looks;
    if (driver_.is_reached(pending_[cursor_].event)) {
      finish(cursor_);
      has_reached = true;
    } else {
      ++cursor_;
    }
  }
  return has_reached;
}

void StreamWatcher::finish(std::size_t at) {
  const Pending reached = pending_[at];
  pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(at));
  give_back(reached.event, *reached.stream);
  if (reached.wake != nullptr) free_wakes_.push_back(reached.wake);
  reached.stream->note_reached(reached.position);
  finishing_ = reached.waiting;
  tell();
}

void StreamWatcher::tell() {
  while (Work* work = finishing_.take()) {
    work->flags &= static_cast<std::uint8_t>(~kAwaitsStream);
    work->run(*work, pe_);  // which may forget others of them, and throw
  }
}

bool StreamWatcher::arm() {
  if (!pending_.empty() && driver_.is_stepped()) return false;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    Pending& pending = pending_[i];
    if (pending.has_word && pending.stream->has_written(pending.position)) return false;
    if (!is_oldest_of_stream(i)) continue;
    if (driver_.is_reached(pending.event)) return false;
    if (pending.wake != nullptr || pending.stream->may_wait_for_flag()) continue;
    pending.wake = take_wake();
    driver_.wait(pending.wake, pending.event);
    driver_.call([](void* waker) { static_cast<Waker*>(waker)->wake(); }, &pe_.waker(), pending.wake);
  }
  return true;
}

bool StreamWatcher::awaits_flag() const {
  return std::any_of(pending_.begin(), pending_.end(),
                     [](const Pending& pending) { return pending.stream->may_wait_for_flag(); });
}

NativeStream StreamWatcher::take_wake() {
  if (free_wakes_.empty()) return wakes_.emplace_back(driver_.make_stream(device_));
  NativeStream wake = free_wakes_.back();
  free_wakes_.pop_back();
  return wake;
}

}  // namespace kaon::gpu
