// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/stream_pool.hpp"

#include <algorithm>
#include <atomic>

namespace kaon::gpu {

StreamPool::~StreamPool() {
  for (StreamState* stream : all_) {
    stream->marks.clear(card_.driver());
    if (!stream->is_foreign) card_.driver().destroy(stream->native);
  }
}

StreamState& StreamPool::add(NativeStream native) {
  StreamState& stream = *all_.emplace_back(&card_.add_stream());
  stream.owner = &owner_;
  stream.native = native;
  stream.device = card_.number();
  return stream;
}

StreamState& StreamPool::take(StreamPriority priority) {
  if (StreamState* const free = take_free(priority)) return *free;
  StreamState& stream = add(card_.driver().make_stream(card_.number(), priority));
  stream.priority = priority;
  return stream;
}

// Of those that may wait for a flag, one whose wait is over.
StreamState* StreamPool::take_free(StreamPriority priority) {
  std::vector<StreamState*>& free = free_[static_cast<std::size_t>(priority)];
  if (!free.empty()) {
    StreamState* const stream = free.back();
    free.pop_back();
    return stream;
  }
  const auto over = std::find_if(waiting_.begin(), waiting_.end(), [&](const WaitingStream& each) {
    return each.stream->priority == priority && card_.driver().is_reached(each.behind_wait.get());
  });
  if (over == waiting_.end()) return nullptr;
  StreamState* const stream = over->stream;
  stream->note_reached(stream->flag_wait.load(std::memory_order_relaxed));
  waiting_.erase(over);
  return stream;
}

StreamState& StreamPool::take_of_runtime(StreamPriority priority) {
  StreamState& stream = take(priority);
  stream.is_of_runtime = true;
  return stream;
}

StreamState& StreamPool::shared(std::size_t number) {
  while (shared_.size() <= number) shared_.push_back(&take());
  return *shared_[number];
}

StreamState& StreamPool::adopt(NativeStream native) {
  const auto known = std::find_if(all_.begin(), all_.end(), [&](const StreamState* each) {
    return each->is_foreign && each->native == native && (!each->is_left() || each->has_reached(each->submitted));
  });
  if (known != all_.end()) {
    ++(*known)->adopters;
    return **known;
  }
  StreamState& stream = add(native);
  stream.is_foreign = true;
  stream.adopters = 1;
  stream.word = nullptr;  // it may end while a word of it is still to be written
  return stream;
}

// Of a stream that is not ours an event is recorded now: later it may be gone. Who gets one that waits for a flag would
// wait, too, and perhaps raise that flag.
void StreamPool::give_back(StreamState& stream) {
  if (stream.is_foreign) {
    if (stream.adopters > 1) {
      --stream.adopters;
      return;
    }
    watcher_.mark({&stream, stream.all_given()});
    stream.adopters = 0;
    return;
  }
  if (!stream.may_wait_for_flag()) [[likely]]
    return free_[static_cast<std::size_t>(stream.priority)].push_back(&stream);
  waiting_.push_back({&stream, watcher_.record(stream)});
}

}  // namespace kaon::gpu
