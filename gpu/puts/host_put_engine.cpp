// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/puts/host_put_engine.hpp"

#include <utility>

#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

HostPutEngine::HostPutEngine(Device& device, std::span<const PutPlaces> puts, const PreparedPutsOptions& options,
                             Stream& user)
    : PutEngine(device, puts, PutsStartedBy::host),
      streams_{Stream(device), Stream(device)},
      words_(2 * kWordsOfLine, user),
      sent_(options.tells_sent ? puts.size() : 0, user),
      slots_(options.ring, user),
      taken_(1, user),
      report_(1, user),
      ends_(puts.size()) {
  for (Quad& slot : slots_.span()) slot = {};
  taken_[0] = 0;
  report_[0] = {};
  for (Stream& stream : streams_) wait_for_flags(*stream.here().stream);
  user.fill(words_.span(), 0);
  user.fill(sent_.span(), 0);
  ring_ = {.slots = slots_.span().data(),
           .posted = words_.data(),
           .taken = words_.data() + kWordsOfLine,
           .far_taken = &taken_[0],
           .slot_count = options.ring,
           .puts = static_cast<std::uint32_t>(puts.size()),
           .fault = &report_[0].fault,
           .sent = sent_.data()};
}

bool HostPutEngine::look() {
  if (has_ended_) return false;
  look_for_fault(report_[0]);
  const bool has_advanced = device_.driver().advance();  // of an emulation without threads
  const bool has_started = start_all();
  end_behind_starts();
  if (!is_stopped_) return has_started || has_advanced;
  if (has_started) finish();
  if (device_.pe().is_stopped()) return has_started || has_advanced;  // kernels may post until the device has drained
  if (behind_all_ != nullptr && !device_.driver().is_reached(behind_all_.get())) return has_advanced;
  behind_all_.reset();
  has_ended_ = true;
  return true;
}

// A ring at most: who posts without a pause does not keep the PE.
bool HostPutEngine::start_all() {
  std::size_t count = 0;
  while (count * kMostAtOnce < ring_.slot_count && start_some()) ++count;
  return count > 0;
}

bool HostPutEngine::start_some() {
  std::array<Request, kMostAtOnce> room;
  std::span<const Request> left = take(room);
  if (left.empty()) return false;
  for (std::size_t count = 0; !left.empty(); left = left.subspan(count)) {
    count = neighbours(left);
    start_together(left.first(count));
  }
  return true;
}

// What was read is free at once, before its copies start: the kernels that wait for room go on meanwhile.
std::span<const HostPutEngine::Request> HostPutEngine::take(std::span<Request, kMostAtOnce> requests) {
  std::size_t count = 0;
  for (; count < kMostAtOnce; ++count) {
    const Quad quad = HostWords::acquire(ring_.slot_of(position_));
    if (quad.epoch != ring_.lap_of(position_)) break;
    requests[count] = {quad.words[0], quad.words[1]};
    ++position_;
  }
  if (count > 0) HostWords::store(ring_.far_taken, position_, Scope::system);
  return requests.first(count);
}

/// How many of them, from the first one on, are one copy.
std::size_t HostPutEngine::neighbours(std::span<const Request> requests) const {
  std::size_t count = 1;
  for (; count < requests.size(); ++count) {
    const PutPlaces &before = puts_[requests[count - 1].put], &next = puts_[requests[count].put];
    const bool are_neighbours = next.to == before.to + before.bytes && next.from == before.from + before.bytes;
    const bool are_of_one_segment = next.to_segment == before.to_segment && next.from_segment == before.from_segment;
    if (!are_neighbours || !are_of_one_segment || next.bytes == 0) break;
  }
  return count;
}

// A put that is started again may be on the other one of two streams: its flag never goes back.
void HostPutEngine::start_together(std::span<const Request> requests) {
  Stream& stream = streams_[std::exchange(next_stream_, 1 - next_stream_)];
  std::size_t bytes = 0;
  Position before;  // on the other stream
  for (const Request& request : requests) {
    const Position& end = ends_[request.put];
    bytes += puts_[request.put].bytes;
    if (end.stream != stream.here().stream && end.count > before.count) before = end;
  }
  stream.wait(before);
  const PutPlaces& first = puts_[requests.front().put];
  stream.copy(Span<std::byte>(first.to, bytes), Span<const std::byte>(first.from, bytes));
  for (const Request& request : requests) {
    StreamState& own = *stream.here().stream;
    if (std::uint32_t* const flag = puts_[request.put].flag) device_.order().raise(own, {flag, request.value});
    if (ring_.sent != nullptr) device_.order().raise(own, {ring_.sent + request.put, request.value});
    ends_[request.put] = stream.here();
  }
}

// Once more for what comes later: at the end of a run kernels may post, see look().
void HostPutEngine::finish() {
  start_all();
  Stream& last = streams_.front();
  for (Stream& stream : streams_)
    if (&stream != &last) last.wait(stream.here());
  release_behind(last.here());
  behind_all_ = device_.stream_watcher().record(*last.here().stream);
}

}  // namespace kaon::gpu
