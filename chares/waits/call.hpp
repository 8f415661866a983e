// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <type_traits>
#include <utility>

#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::chares {

/// Awaits the result that a message brings about. Wire is what the reply carries, Value what the awaiter gets. The
/// message is made with the call and leaves when it is awaited. An exception that leaves the entry is thrown here.
template <class Wire, class Value>
class CallWait {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = false;

  /// The reply comes to this PE, so the message must have been made here. It leaves by `send`, or, without one, to PE
  /// `to`.
  CallWait(Pe& pe, Message& message, PeId to, void (*send)(Message&, Pe&) = nullptr)
      : pe_(pe), message_(&message), entry_(message.entry), send_(send), to_(to) {}
  CallWait(const CallWait&) = delete;
  CallWait& operator=(const CallWait&) = delete;
  ~CallWait() {
    if (message_ != nullptr) message_->entry->destroy(*message_, pe_.pool());
  }

  bool is_ready() const { return false; }
  bool start(Waiter& waiter) {
    if (message_ == nullptr) [[unlikely]]
      throw_awaited_twice();
    Message& message = *std::exchange(message_, nullptr);
    message.reply = reply_ = pe_.replies().open(waiter, result_);
    try {
      if (send_ == nullptr)
        pe_.route(message, to_);
      else
        send_(message, pe_);
    } catch (...) {  // it cannot be packed, so no reply will come
      (void)pe_.replies().close_failed(reply_);
      throw;
    }
    return false;
  }
  void give_up(Waiter&) noexcept { pe_.replies().abandon(reply_); }
  Value take() {
    if constexpr (std::is_same_v<Wire, Value>) {
      return result_.take();
    } else {
      Wire partial = result_.take();
      if constexpr (!std::is_void_v<Value>) {
        if (!partial) throw_nobody_there();
        return std::move(*partial);
      }
    }
  }
  std::string describe() const {
    return "for the result of " + readable_name(entry_->name) + ", called on PE " + std::to_string(to_);
  }

 private:
  [[noreturn]] static void throw_awaited_twice() {
    throw UsageError("a call was awaited a second time: it sends one message; keep its result, or call again");
  }
  [[noreturn]] static void throw_nobody_there() {
    throw UsageError(
        "call_all() found no elements: the array has none, or they were all on their way from one PE to another");
  }

  Pe& pe_;
  Message* message_;
  const EntryRecord* entry_;
  void (*send_)(Message&, Pe&);
  PeId to_;
  ReplyTo reply_;
  Result<Wire> result_;
};

template <class Wire, class Value>
using Call = Awaitable<CallWait<Wire, Value>>;

}  // namespace kaon::chares
