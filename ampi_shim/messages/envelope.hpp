// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/ampi_shim/ranks/rank_part.hpp"
#include "kaon/runtime/messages/message.hpp"

namespace kaon::ampi {

/// The key by which messages and receives are matched. `source` is a rank of the communicator; `context` identifies the
/// communicator and its use. In a receive `source` and `tag` may be MPI_ANY_SOURCE and MPI_ANY_TAG.
struct MatchKey {
  std::uint64_t context = 0;
  std::int32_t source = 0;
  std::int32_t tag = 0;
  friend bool operator==(const MatchKey&, const MatchKey&) = default;
};

/// The header that travels in front of the data of a message.
struct Envelope {
  MatchKey key;
  std::int32_t from = 0;  // ranks in the run
  std::int32_t to = 0;
  std::uint32_t ranks = 0;     // the collection of the ranks
  std::uint32_t sequence = 0;  // of the messages between the two, which the network may bring in another order
  std::uint64_t bytes = 0;
  ReplyTo waiting_send;  // the send that is told when the message is matched; none: nobody is
};

/// Asks the rank of another PE for a message back that it has not matched.
struct Recall {
  std::int32_t from = 0;  // as in the message's envelope
  std::int32_t to = 0;
  std::uint32_t ranks = 0;
  std::uint32_t sequence = 0;
  ReplyTo send;  // that is told whether the message has gone
};

}  // namespace kaon::ampi
