// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <coroutine>

#include "kaon/runtime/payloads/payload.hpp"

namespace kaon::runtime {

class Pe;

/// Fetches a payload whose post rule said later(): the transfer, and the task that waits for it.
class [[nodiscard]] LaterAwaiter {
 public:
  LaterAwaiter(PayloadRecord* record, const Landing& landing);
  LaterAwaiter(const LaterAwaiter&) = delete;
  LaterAwaiter& operator=(const LaterAwaiter&) = delete;
  ~LaterAwaiter();

  bool await_ready() const noexcept { return record_ == nullptr; }
  bool await_suspend(std::coroutine_handle<> task);
  void await_resume() const noexcept {}

  class Fetch;

 private:
  PayloadRecord* record_;  // nullptr: it is here
  Landing landing_;
  Fetch* fetch_ = nullptr;  // while it is under way
  std::coroutine_handle<> task_;
};

/// `co_await land(payload, landing)`: fetches into a landing, or with Landing::pooled() into a buffer of its own. A
/// payload that is here already is copied to the landing. One that is destroyed without having been fetched is
/// rejected: its sender's memory becomes free and the bytes go nowhere.
template <class T>
LaterAwaiter land(Payload<T>& payload, const Landing& landing) {
  return LaterAwaiter(payload.record(), landing);
}

/// Takes a later payload off its sender and releases it.
void reject(PayloadRecord* record) noexcept;

/// Starts the receive of an announced payload that has its memory, over the port or the accelerator. True: it is here.
bool receive_payload(Pe& pe, PeId from, std::uint32_t counter, PayloadRecord& record, Transfer& done);

}  // namespace kaon::runtime
