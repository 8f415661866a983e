// SPDX-License-Identifier: Apache-2.0
// Chares of which one stream waits for a flag that is raised when other work of theirs has ended. Each of these tasks
// ends if that other work does not stand behind the wait.
#pragma once
#include <memory>
#include <optional>
#include <utility>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

namespace kaon::testing::waiters {

/// A flag that a stream waits for now: a test that finds that it is not raised lets all go on by it.
inline const gpu::Flag* open_flag = nullptr;

/// One stream raises what another one waits for that was let go before.
inline Task<> let_go_while_waiting(Runtime&) {
  gpu::Stream base;
  const gpu::Flag flag(base);
  open_flag = &flag;
  gpu::Buffer<int> cells(16, base);
  co_await base.drained();
  std::optional<gpu::Stream> waiting(std::in_place);
  waiting->wait(flag, 1);
  waiting->fill(cells.span(), 1);
  const gpu::Event filled = waiting->record();
  // A stream that waits for a stream that waits is let go, too.
  std::optional<gpu::Stream> following(std::in_place);
  following->wait(filled);
  following.reset();
  waiting.reset();
  gpu::Stream other, raising;
  other.fill(cells.span(), 2);
  raising.raise(flag);
  co_await raising.drained();
  co_await other.drained();
  open_flag = nullptr;
  co_await raising.reached(filled);  // the flag outlives the wait for it
}

/// The common base of chares of which `slow_` waits.
class Waiter {
 protected:
  static constexpr std::size_t kSize = 64;
  void let_slow_wait() {
    flag_ = std::make_unique<gpu::Flag>(slow_);
    open_flag = flag_.get();
    slow_.wait(*flag_, 1);
  }
  void raise() {
    open_flag = nullptr;
    flag_->raise();
  }
  Payload<int> filled(gpu::Stream& stream, int byte) const {
    gpu::Buffer<int> memory(kSize, stream);
    stream.fill(memory.span(), byte);
    return Payload<int>(std::move(memory), stream);
  }
  /// Reads the payload on a stream.
  static Task<int> first_of(gpu::Stream& stream, const Payload<int>& payload) {
    gpu::Pinned<int> copy(kSize, stream);
    stream.copy(copy, payload.view(stream));
    co_await stream.drained();
    co_return copy[0];
  }

  gpu::Stream slow_, fast_;
  std::unique_ptr<gpu::Flag> flag_;
};

/// Sends a payload of a stream that waits, and one that is ready; the second is to come although the first does not.
class Sender : public Chare<Sender>, Waiter {
 public:
  Task<bool> send_both() {
    let_slow_wait();
    Payload<int> ready = filled(fast_, 2);
    co_await fast_.drained();
    const auto other = array()[1 - index().x];
    other.send<&Sender::take>(filled(slow_, 1));
    other.send<&Sender::take>(std::move(ready));
    const int second = co_await came.next();
    raise();
    const int first = co_await came.next();
    co_return second == 0x02020202 && first == 0x01010101;
  }
  /// Same as send_both(), for payloads that were viewed on the streams before.
  Task<bool> hand_over_both() {
    Payload<int> late = filled(slow_, 1), ready = filled(fast_, 2);
    (void)late.view(slow_);
    (void)ready.view(fast_);
    let_slow_wait();
    const auto other = array()[1 - index().x];
    other.send<&Sender::take>(std::move(late));
    other.send<&Sender::take>(std::move(ready));
    const int second = co_await came.next();
    raise();
    const int first = co_await came.next();
    co_return second == 0x02020202 && first == 0x01010101;
  }
  Task<> take(Payload<int> payload) {
    gpu::Stream stream;
    const int value = co_await first_of(stream, payload);
    array()[1 - index().x].send<&Sender::came>(value);
  }
  Inbox<int> came;
};

inline Task<> send_a_late_and_a_ready_one(Runtime& runtime) {
  const auto senders = co_await runtime.create<Sender>(2);
  const bool is_right = co_await senders[0].call<&Sender::send_both>();
  if (!is_right) throw UsageError("the payloads that came are others");
}

inline Task<> hand_over_a_late_and_a_ready_one(Runtime& runtime) {
  const auto senders = co_await runtime.create<Sender>(2);
  const bool is_right = co_await senders[0].call<&Sender::hand_over_both>();
  if (!is_right) throw UsageError("the payloads that came are others");
}

/// 0 sends two payloads to 1. 1 reads the first on a stream that waits, and sends it on to 2; the wait is over when the
/// second has come and its memory is its sender's again.
class Forwarder : public Chare<Forwarder>, Waiter {
 public:
  Task<bool> begin() {
    Payload<int> first = filled(fast_, 1), second = filled(fast_, 2);
    co_await fast_.drained();
    array()[1].send<&Forwarder::take_first>(std::move(first));
    co_await events.next();
    Sent sent(second);
    array()[1].send<&Forwarder::take_second>(std::move(second));
    co_await sent;
    const int value = co_await events.next();
    const int passed = co_await events.next();
    co_return value + passed == 0x03030303;
  }
  void take_first(Payload<int> payload) {
    let_slow_wait();
    read_.emplace(kSize, slow_);
    slow_.copy(read_->span(), payload.view(slow_));
    array()[2].send<&Forwarder::take_last>(std::move(payload));
    array()[0].send<&Forwarder::events>(0);
  }
  Task<> take_second(Payload<int> payload) {
    const int value = co_await first_of(fast_, payload);
    raise();
    co_await slow_.drained();
    array()[0].send<&Forwarder::events>(value);
  }
  Task<> take_last(Payload<int> payload) {
    const int value = co_await first_of(fast_, payload);
    array()[0].send<&Forwarder::events>(value);
  }
  Inbox<int> events;

 private:
  std::optional<gpu::Buffer<int>> read_;
};

inline Task<> send_on_what_a_late_stream_reads(Runtime& runtime) {
  const auto forwarders = co_await runtime.create<Forwarder>(3);
  const bool is_right = co_await forwarders[0].call<&Forwarder::begin>();
  if (!is_right) throw UsageError("the payloads that came are others");
}

/// Frees a buffer of the stream that waits, into which a payload has landed in the order of the other one.
class Receiver : public Chare<Receiver>, Waiter {
 public:
  Task<bool> begin() {
    array()[0].send<&Receiver::take>(filled(fast_, 3));
    const int event = co_await ended.next();
    co_return event == 1;
  }
  Task<> take(Payload<int>) {
    let_slow_wait();
    memory_.reset();
    gpu::Buffer<int> other(kSize, fast_);
    fast_.fill(other.span(), 4);
    co_await fast_.drained();
    raise();
    co_await slow_.drained();
    array()[0].send<&Receiver::ended>(1);
  }
  Landing post(PostFor<&Receiver::take>, const Payload<int>&) {
    memory_.emplace(kSize, slow_);
    fast_.wait(slow_.here());
    return Landing::into(memory_->span(), fast_);
  }
  Inbox<int> ended;

 private:
  std::optional<gpu::Buffer<int>> memory_;
};

inline Task<> free_what_has_landed(Runtime& runtime) {
  const auto receivers = co_await runtime.create<Receiver>(1);
  const bool has_ended = co_await receivers[0].call<&Receiver::begin>();
  if (!has_ended) throw UsageError("the wrong event came");
}

}  // namespace kaon::testing::waiters
