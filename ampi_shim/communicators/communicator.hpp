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
#include "kaon/ampi_shim/communicators/error_handler.hpp"
#include "kaon/ampi_shim/communicators/group.hpp"
#include "kaon/ampi_shim/communicators/info.hpp"
#include "kaon/ampi_shim/datatypes/attributes.hpp"
#include "kaon/ampi_shim/datatypes/handled.hpp"

namespace kaon::ampi {

class Meeting;
class Places;
class ProgramStream;
struct Topology;

class Communicator;
using CountedCommunicator = boost::intrusive_ref_counter<Communicator, boost::thread_unsafe_counter>;

/// A communicator as one of its ranks has it: each member has an object of its own, which only that rank touches.
/// MPI_Comm of those that the program made leads to it. It lives until the program has freed it and no request and
/// no collective under way holds it any more.
class Communicator : public Handled<0x6d6f63206e6f616b>, public CountedCommunicator {  // "kaon com"
 public:
  Communicator(Context context, Group group, int rank, MPI_Comm predefined = MPI_COMM_NULL);
  /// An intercommunicator.
  Communicator(Context context, Group local, int rank, Group remote);
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();
  // Memory that a freed handle can be asked in.
  static void* operator new(std::size_t bytes);
  static void operator delete(void* memory) noexcept;

  Context context(Traffic traffic) const { return with(context_, traffic); }
  /// Where it is put when it is agreed on: such a communicator is not used before that.
  Context& context_place() { return context_; }

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
  /// The same for persistent collectives: all members make them in the same order, and start them in any.
  int next_persistent_tag();

  bool is_predefined() const { return predefined_ != MPI_COMM_NULL; }
  /// A predefined one has a number instead of its address.
  MPI_Comm handle() const {
    return predefined_ != MPI_COMM_NULL ? predefined_ : reinterpret_cast<MPI_Comm>(handle_word());
  }

  std::string name;
  Attributes<MPI_Comm> attributes;
  ErrorHandlerSlot errors;
  Info info;
  std::shared_ptr<const Topology> topology;  // nullptr: none; shared by duplicates
  std::shared_ptr<const Places> places;      // of its ranks: made by the first collective that asks
  std::shared_ptr<ProgramStream> stream;     // of MPIX_Stream_comm_create; nullptr: none
  std::shared_ptr<Meeting> meeting;          // with those of them that share the PE, the same way

 private:
  Context context_;
  Group group_;
  std::optional<Group> remote_;
  MPI_Comm predefined_ = MPI_COMM_NULL;
  int rank_;
  std::uint32_t collectives_ = 0;
  std::uint32_t persistent_collectives_ = 0;
};

using CommunicatorRef = boost::intrusive_ptr<Communicator>;

}  // namespace kaon::ampi
