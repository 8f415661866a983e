// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/ampi_shim/messages/arrived.hpp"
#include "kaon/ampi_shim/messages/queue.hpp"

namespace kaon::ampi {

class ReceiveRequest;
class ProbeWait;

/// True if a receive of `wanted`, which may have wildcards, takes a message of `key`.
inline bool takes(const MatchKey& wanted, const MatchKey& key) {
  return wanted.context == key.context && (wanted.source == key.source || wanted.source == MPI_ANY_SOURCE) &&
         (wanted.tag == key.tag || wanted.tag == MPI_ANY_TAG);
}
inline bool has_wildcard(const MatchKey& wanted) {
  return wanted.source == MPI_ANY_SOURCE || wanted.tag == MPI_ANY_TAG;
}

/// Where messages to one rank meet their receives. Of the receives that take a message the one posted first gets it; of
/// the messages that a receive takes, it gets the one that came first. Receives and messages without wildcards find
/// each other by their hashed keys; those with wildcards by a walk in order.
class Mailbox {
 public:
  Mailbox() = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  /// Messages that nobody has received go.
  ~Mailbox();

  /// Takes out the receive that a message is for; nullptr: none is posted.
  ReceiveRequest* take_receive(const MatchKey& key);
  /// A receive waits from now on.
  void post(ReceiveRequest& receive);
  /// Takes back one that is posted.
  void withdraw(ReceiveRequest& receive);

  /// Keeps a message that no posted receive takes; it becomes the mailbox's.
  void keep(Arrived& message);
  /// The message that a receive would get; nullptr: it has yet to come.
  Arrived* find(const MatchKey& wanted) const { return messages_.empty() ? nullptr : find_kept(wanted); }
  /// That with this number from a rank of the run on another PE; nullptr: it is not here any more.
  Arrived* find_sent(int from, std::uint32_t sequence) const;
  /// Takes one out that is kept: it is the caller's.
  void take(Arrived& message);

  /// Adds a probe that waits for a message to be kept.
  void add(ProbeWait& probe);
  void remove(ProbeWait& probe);

 private:
  ReceiveRequest* take_receive_of_any(const MatchKey& key);
  Arrived* find_kept(const MatchKey& wanted) const;

  KeyedQueue receives_;
  ReceiveRequest* first_wild_ = nullptr;  // receives with wildcards, as they were posted
  ReceiveRequest* last_wild_ = nullptr;
  std::uint64_t posted_ = 0;
  KeyedQueue messages_;
  Arrived* oldest_ = nullptr;
  Arrived* newest_ = nullptr;
  ProbeWait* probes_ = nullptr;
};

}  // namespace kaon::ampi
