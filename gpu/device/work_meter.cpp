// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/work_meter.hpp"

#include <algorithm>

#include "kaon/gpu/device/stream_state.hpp"

namespace kaon::gpu {

WorkMeter::~WorkMeter() {
  for (const auto& [stream, event] : begun_) recycle(event);
  for (const Piece& piece : pieces_) {
    recycle(piece.begin);
    recycle(piece.end);
  }
  for (NativeEvent event : {begin_of_held_, epoch_})
    if (event != nullptr) recycle(event);
  for (NativeEvent event : free_) driver_.destroy_event(event);
}

WorkMeter::Turn WorkMeter::turn() {
  if (turn_ == nullptr) turn_ = std::make_shared<Turn::element_type>();
  return turn_;
}

NativeEvent WorkMeter::record(const StreamState& stream) {
  NativeEvent event = nullptr;
  if (free_.empty()) {
    event = driver_.make_timed_event(device_);
  } else {
    event = free_.back();
    free_.pop_back();
  }
  driver_.record(event, stream.native);
  return event;
}

void WorkMeter::begin(const StreamState& stream) {
  const bool is_begun =
      std::any_of(begun_.begin(), begun_.end(), [&](const auto& each) { return each.first == &stream; });
  if (!is_begun) begun_.emplace_back(&stream, record(stream));
}

void WorkMeter::end_turn(const runtime::WorkGiver& giver) {
  if (begun_.empty() && turn_ == nullptr) return;
  const Turn ended = turn();
  *ended = giver;
  for (const auto& [stream, event] : begun_) pieces_.push_back({event, record(*stream), {ended}});
  begun_.clear();
  turn_ = nullptr;
  look();
}

void WorkMeter::begin_held(const StreamState& stream) {
  if (const auto held = held_.find(&stream); held != held_.end() && !held->second.empty())
    begin_of_held_ = record(stream);
}

void WorkMeter::end_held(const StreamState& stream) {
  if (begin_of_held_ == nullptr) return;
  pieces_.push_back(
      {std::exchange(begin_of_held_, nullptr), record(stream), std::exchange(held_.find(&stream)->second, {})});
}

// Asking takes the PE as long as a short entry: only when much has come together.
void WorkMeter::look() {
  constexpr std::size_t kMany = 64;
  if (pieces_.size() >= kMany) take_first();
}

bool WorkMeter::take_first() {
  if (pieces_.empty() || !driver_.is_reached(pieces_.front().end)) return false;
  const Piece piece = std::move(pieces_.front());
  pieces_.pop_front();
  if (epoch_ == nullptr) epoch_ = piece.begin;
  const double from = epoch_ == piece.begin ? 0 : driver_.seconds_between(epoch_, piece.begin);
  done_.push_back({piece.turns, from, from + driver_.seconds_between(piece.begin, piece.end)});
  if (epoch_ != piece.begin) recycle(piece.begin);
  recycle(piece.end);
  return true;
}

std::vector<runtime::GivenWork> WorkMeter::take() {
  while (take_first()) {
  }
  if (epoch_ != nullptr) recycle(std::exchange(epoch_, nullptr));
  const std::vector<Done> done = std::exchange(done_, {});
  double sum = 0;
  for (const Done& each : done) sum += each.until - each.from;
  const double share = sum > 0 ? seconds_of_any(done) / sum : 0;
  std::vector<runtime::GivenWork> given;
  for (const Done& each : done)
    for (const Turn& turn : each.turns)
      if (turn->has_value())
        given.push_back({**turn, share * (each.until - each.from) / static_cast<double>(each.turns.size())});
  return given;
}

// How long at least one of them was under way.
double WorkMeter::seconds_of_any(std::vector<Done> done) {
  std::sort(done.begin(), done.end(), [](const Done& a, const Done& b) { return a.from < b.from; });
  double seconds = 0, until = done.empty() ? 0 : done.front().from;
  for (const Done& each : done) {
    seconds += std::max(each.until - std::max(each.from, until), 0.0);
    until = std::max(until, each.until);
  }
  return seconds;
}

}  // namespace kaon::gpu
