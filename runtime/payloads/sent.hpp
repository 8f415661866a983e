// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <coroutine>
#include <utility>

#include "kaon/runtime/payloads/payload_record.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

class Pe;

/// What a payload tells when its memory is free: shared by the payload's record and the Sent that waits for it. All
/// but memory_is_free() belongs to the PE that made it.
class SentSignal final : public Work {
 public:
  static SentSignal& make(Pe& pe);
  /// From the thread of any PE of the process.
  void memory_is_free() noexcept;

  bool is_free() const { return is_free_; }
  void await(std::coroutine_handle<> task);
  /// The waiting task, or its Sent, goes.
  void forget() noexcept;

 private:
  explicit SentSignal(Pe& pe);
  static void told(Work& self, Pe& pe);
  void release() noexcept;

  Pe& pe_;
  int owners_ = 2;
  bool is_free_ = false;
  std::coroutine_handle<> task_;
};

/// `co_await sent`: waits until the memory of a payload may be used again, because it has been sent or, within the
/// process, its receiver is done with it. Made before the payload is given to a send:
///
///   kaon::Sent sent(payload);
///   to.send<&Block::take>(std::move(payload));
///   co_await sent;
class Sent {
 public:
  template <class Payload>
  explicit Sent(const Payload& payload) : Sent(payload.record()) {}
  Sent(const Sent&) = delete;
  Sent& operator=(const Sent&) = delete;
  ~Sent() {
    if (signal_ != nullptr) signal_->forget();
  }

  struct Awaiter {
    SentSignal* signal;
    bool await_ready() const { return signal == nullptr || signal->is_free(); }
    void await_suspend(std::coroutine_handle<> task) const { signal->await(task); }
    void await_resume() const noexcept {}
  };
  /// The Sent outlives the wait.
  Awaiter operator co_await() const { return {signal_}; }

 private:
  explicit Sent(PayloadRecord* record);
  SentSignal* signal_ = nullptr;  // nullptr: a payload without memory
};

}  // namespace kaon::runtime
