// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/payloads/payload.hpp"

namespace kaon::ampi {

enum class OperationKind : std::uint8_t { put, get, accumulate, get_accumulate, compare_and_swap };

/// Those that change elements atomically, and that keep the order of their origin.
constexpr bool is_accumulate(OperationKind kind) { return kind >= OperationKind::accumulate; }

/// A one-sided operation on its way to a target that its origin does not reach by loads and stores.
struct OperationHeader {
  std::uint64_t window = 0;       // see Window::context
  std::int64_t displacement = 0;  // bytes from the start of the part; of a dynamic window an address
  std::int64_t first = 0;         // of the bytes that the data cover there, from the displacement
  std::int64_t covered = 0;       // how many these are
  std::int64_t bytes = 0;         // of data at the target
  std::uint64_t operation = 0;    // handle of a predefined operation
  std::uint64_t element = 0;      // handle of the predefined type of all elements, for accumulates
  std::int32_t from = 0;          // member of the window
  std::int32_t origin = 0;        // ranks in the run
  std::int32_t to = 0;            //
  std::uint32_t ranks = 0;        // the collection of the ranks
  std::uint32_t sequence = 0;     // of accumulates between the two
  runtime::ReplyTo answer;        // the origin's request
  OperationKind kind = OperationKind::put;
};

/// An operation that has come. `layout`: the words of a TargetElements; empty where the data are the run that they
/// cover. `data` of the origin lie one behind the other; of a compared swap the new value is in front of the old one.
struct ArrivedOperation {
  OperationHeader header;
  std::vector<std::int64_t> layout;
  runtime::Payload<std::byte> data;
};

}  // namespace kaon::ampi
