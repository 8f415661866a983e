// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ucs/type/status.h>

#include <cstddef>
#include <cstdint>

#include "kaon/runtime/ports/machine.hpp"

namespace kaon::machine_ucx {

enum class OperationKind : std::uint8_t { send, receive_payload, receive_batch, drop_payload };

// One operation that UCX has not finished. It lies directly behind the memory that UCX uses for the request, so that
// the request pointer of a callback is the operation.
struct Operation {
  Operation* next = nullptr;  // in the pool's free list, or in the port's list of finished ones
  OperationKind kind = OperationKind::send;
  Lane lane = Lane::data;          // receive_batch
  ucs_status_t status = UCS_OK;    // of UCX, once finished
  PeId peer = 0;                   // for the error text, and to check what arrived
  std::uint32_t counter = 0;       // payloads
  std::size_t bytes = 0;           // receives: what arrived
  std::size_t expected_bytes = 0;  // receive_payload
  std::byte* buffer = nullptr;     // receive_batch: kBatchBytes
  Work* transfer = nullptr;        // send, receive_payload: the starter's, while it is under way
};

// Operations in the order in which they finished. Links through Operation::next, allocates nothing.
class OperationQueue {
 public:
  [[nodiscard]] bool is_empty() const { return first_ == nullptr; }
  [[nodiscard]] Operation* last() const { return last_; }

  void push(Operation& operation) {
    operation.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &operation;
    last_ = &operation;
  }

  // Not on an empty queue.
  Operation& pop() {
    Operation& operation = *first_;
    first_ = operation.next;
    if (first_ == nullptr) last_ = nullptr;
    return operation;
  }

 private:
  Operation* first_ = nullptr;
  Operation* last_ = nullptr;
};

}  // namespace kaon::machine_ucx
