// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <coroutine>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

/// Awaits the result that a message brings about. Wire is what the reply carries, Value what the awaiter gets.
/// The message is made with the call and leaves when it is awaited.
template <class Wire, class Value>
class [[nodiscard]] CallAwaiter final : public ReplyWaiter {
 public:
  /// The reply comes to this PE, so the message must have been made here.
  CallAwaiter(Pe& pe, Message& message, PeId to) : pe_(pe), message_(&message), to_(to) {}
  CallAwaiter(const CallAwaiter&) = delete;
  CallAwaiter& operator=(const CallAwaiter&) = delete;
  ~CallAwaiter() {
    if (message_ != nullptr) message_->entry->destroy(*message_, pe_);
    if (task_) pe_.replies().abandon(reply_);
  }

  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> task) {
    task_ = task;
    Message& message = *std::exchange(message_, nullptr);
    message.reply = reply_ = pe_.replies().open(*this);
    pe_.made();  // the reply
    pe_.route(message, to_);
  }
  Value await_resume() {
    if constexpr (std::is_same_v<Wire, Value>) {
      return std::move(*value_);
    } else if constexpr (!std::is_void_v<Value>) {
      if (!*value_) throw std::logic_error("nobody was there to give a result");
      return std::move(**value_);
    }
  }

  void replied(void* value) override {
    value_.emplace(std::move(*static_cast<Wire*>(value)));
    std::exchange(task_, {}).resume();
  }

 private:
  Pe& pe_;
  Message* message_;
  PeId to_;
  ReplyTo reply_;
  std::coroutine_handle<> task_;
  std::optional<Wire> value_;
};

}  // namespace kaon::chares
