// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "kaon/runtime/payloads/payload_record.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::runtime {

/// Signals that the memory of a payload is free; shared by the payload's record and the Sent that waits for it. All
/// but memory_is_free() belongs to the PE that made it.
class SentSignal final : public Work {
 public:
  static SentSignal& make(Scheduler& scheduler);
  /// From the thread of any PE of the process.
  void memory_is_free() noexcept;

  bool is_free() const { return is_free_; }
  void await(Waiter& waiter) { waiter_ = &waiter; }
  void forget_waiter() noexcept { waiter_ = nullptr; }
  /// The Sent goes, or the record has told it.
  void release() noexcept;

 private:
  explicit SentSignal(Scheduler& scheduler);
  static void told(Work& self, Pe& pe);

  Scheduler& scheduler_;
  int holders_ = 2;
  bool is_free_ = false;
  Waiter* waiter_ = nullptr;
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
    if (signal_ != nullptr) signal_->release();
  }

  class Wait {
   public:
    static constexpr bool kIsCounted = true, kIsFromOutside = false;
    explicit Wait(SentSignal* signal) : signal_(signal) {}
    bool is_ready() const { return signal_ == nullptr || signal_->is_free(); }
    bool start(Waiter& waiter) {
      signal_->await(waiter);
      return false;
    }
    void give_up(Waiter&) noexcept { signal_->forget_waiter(); }
    void take() const {}
    std::string describe() const { return "until the memory of a payload that was sent is free"; }

   private:
    SentSignal* signal_;
  };
  /// The Sent outlives the wait.
  Awaitable<Wait> operator co_await() const { return Awaitable<Wait>(signal_); }

 private:
  explicit Sent(PayloadRecord* record);
  SentSignal* signal_ = nullptr;  // nullptr: a payload without memory
};

}  // namespace kaon::runtime
