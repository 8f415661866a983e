// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "kaon/ampi_shim/communicators/context.hpp"
#include "kaon/ampi_shim/communicators/group.hpp"
#include "kaon/ampi_shim/communicators/handled.hpp"

namespace kaon::ampi {

class AttributeStore;
class ErrorHandler;
class Info;
struct Topology;

/// A communicator as one of its ranks has it: each member has an object of its own, which only that rank touches.
/// MPI_Comm of those that the program made is its address. It lives until the program has freed it and no request and
/// no collective under way holds it any more.
class Communicator : public Handled<0x6d6f63206e6f616b>,  // "kaon com"
                     public boost::intrusive_ref_counter<Communicator, boost::thread_unsafe_counter> {
 public:
  Communicator(Context context, Group group, int rank);
  /// An intercommunicator.
  Communicator(Context context, Group local, int rank, Group remote);
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  Context context(Traffic traffic) const { return with(context_, traffic); }
  /// Once it is agreed on, where this was made before that: MPI_Comm_idup.
  void set_context(Context context) { context_ = context; }

  int rank() const { return rank_; }
  int size() const { return group_.size(); }
  const Group& group() const { return group_; }
  bool is_inter() const { return remote_.has_value(); }
  /// Those whom messages go to and come from: the remote group of an intercommunicator.
  const Group& peers() const { return remote_ ? *remote_ : group_; }
  int peer_count() const { return peers().size(); }
  /// Rank in the run of whom a message to rank `peer` goes to.
  int rank_in_run(int peer) const { return peers()[peer]; }

  /// Tells collectives of this communicator that are under way at once from each other: all members start them in the
  /// same order.
  int next_collective_tag();

  /// For fast paths to keep what they know of the communicator; the collectives' own.
  std::shared_ptr<void> collective_plans;

  std::string name;
  std::shared_ptr<AttributeStore> attributes;       // nullptr: none was ever set
  MPI_Errhandler errhandler = MPI_ERRHANDLER_NULL;  // null: that of MPI_COMM_SELF, or the run's
  std::shared_ptr<ErrorHandler> error_handler;  // keeps a handler that the program made, nullptr for predefined ones
  std::shared_ptr<const Info> info;             // nullptr: no hints
  std::shared_ptr<const Topology> topology;     // nullptr: none

 private:
  Context context_;
  Group group_;
  std::optional<Group> remote_;
  int rank_;
  std::uint32_t collectives_ = 0;
};

using CommunicatorRef = boost::intrusive_ptr<Communicator>;

}  // namespace kaon::ampi
