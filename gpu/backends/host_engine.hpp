// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <condition_variable>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/backends/host_stream.hpp"

namespace kaon::gpu {

/// Runs the streams of the emulation: each on a thread of its own or, seeded, all of them inside advance().
///
/// It cannot come to a standstill: a wait is for a record that was given before it, so what streams wait for never runs
/// in a circle. The exception are flags, which may be raised by what was given later. A real device has few hardware
/// queues (CUDA_DEVICE_MAX_CONNECTIONS, 8 by default), each for several streams: a stream that waits for a flag, or for
/// a stream that does, holds up the others of its queue. With `queues` this is played with the best choice of queues:
/// a stream that stands has one alone, and while all are taken nothing else of the device goes on. So a program that
/// needs so many is seen at once, not only when streams meet badly. One mutex for all of it is enough for an emulation.
class HostEngine {
 public:
  explicit HostEngine(const HostSettings& settings) : settings_(settings), choices_(settings.seed) {}
  /// Lets all streams finish what they were given.
  ~HostEngine();
  HostEngine(const HostEngine&) = delete;
  HostEngine& operator=(const HostEngine&) = delete;

  HostStream& make_stream();
  /// Returns at once; what the stream was given still happens.
  void close(HostStream& stream) noexcept;

  /// A kernel, copy or callback. Those that take a device's time are delayed.
  void enqueue(HostStream& stream, std::function<void()> work, bool is_delayed);
  void enqueue_steps(HostStream& stream, std::function<HostStep()> work, bool is_delayed);
  void record(HostEvent& event, HostStream& stream);
  void wait(HostStream& stream, const HostEvent& event);
  template <class Word>
  void write_word(HostStream& stream, Word* word, Word value) {
    const auto write = [this, word, value] {  // as on a real device, a stream does not go on behind a fault
      if (!has_fault()) std::atomic_ref<Word>(*word).store(value, std::memory_order_release);
    };
    enqueue(stream, write, true);
  }
  /// The same of the value that `*from` has then.
  void copy_word(HostStream& stream, std::uint32_t* word, const std::uint32_t* from) {
    const auto write = [this, word, from] {
      if (!has_fault()) std::atomic_ref<std::uint32_t>(*word).store(*from, std::memory_order_release);
    };
    enqueue(stream, write, true);
  }
  /// It may be raised by anybody, so that a stream may wait for ever.
  void wait_flag(HostStream& stream, const std::uint32_t* word, std::uint32_t k);
  /// Throws what work has thrown: as on a real device, after a fault nothing is known to be done any more.
  bool is_reached(const HostEvent& event);
  double seconds_between(const HostEvent& begin, const HostEvent& end);

  /// Waits until all is done that the device's streams (-1: all streams) were given by now; what other threads give
  /// them is held up meanwhile. False: it did not end within a while, which is a fault from now on.
  bool finish(int device);

  /// See Driver::advance.
  bool advance();

 private:
  bool has_fault();
  bool has_threads() const { return settings_.seed == 0; }
  void push(HostStream& stream, HostOperation operation);
  void serve(HostStream& stream);
  std::vector<int> free_queues() const;
  bool may_go_on(const HostStream& stream, const std::vector<int>& free_queues) const;
  HostStream* choose(bool may_rest);
  void run_first(HostStream& stream, std::unique_lock<std::mutex>& lock);
  bool do_work(HostOperation& operation);
  void finish_first(HostStream& stream, HostOperation& operation);
  void pause(HostStream& stream);
  void start_thread(HostStream& stream);
  std::vector<std::shared_ptr<HostMark>> mark_all(int device);
  bool wait_for(const std::vector<std::shared_ptr<HostMark>>& marks, std::unique_lock<std::mutex>& lock);
  void forget_ended();
  void end_when_over(HostStream& stream);

  const HostSettings settings_;
  std::mutex mutex_;                 // guards all below, and the streams
  std::condition_variable changed_;  // an operation came or finished, a stream was closed, or finish() has ended
  unsigned finishing_ = 0;           // threads in finish()
  std::mt19937_64 choices_;
  unsigned made_ = 0;
  std::exception_ptr fault_;
  std::list<HostStream> streams_;
};

}  // namespace kaon::gpu
