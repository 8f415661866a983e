// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "kaon/ampi_shim/collectives/collective.hpp"
#include "kaon/ampi_shim/collectives/inter_plans.hpp"
#include "kaon/ampi_shim/collectives/places.hpp"
#include "kaon/ampi_shim/communicators/communicators.hpp"

// How the members of a new communicator come to agree on its group and its context. All of these wait on a strand of
// the rank, except where said. What is new has the error handler of what it was made from, and nothing else of it.
namespace kaon::ampi {

/// Runs a collective of the communicator now: `plan(schedule)` writes it down.
template <class Plan>
void run_now(const char* name, Rank& rank, Communicator& communicator, Plan&& plan) {
  Collective collective(name, rank, communicator, Collective::Lifetime::once);
  plan(collective.schedule());
  collective.queue_up();
  run(collective);
}

Team team_of(const Communicator& communicator);
Sides sides_of(const Communicator& communicator);
/// nullptr: an intercommunicator, or collectives do better without.
const Places* places_of(Rank& rank, Communicator& communicator);
/// Same as places_of(), also where collectives do better without; nullptr for one rank alone or an intercommunicator.
const Places* all_places_of(Rank& rank, Communicator& communicator);

/// The same group or groups, whose context `place` is when the schedule has ended. Does not wait.
void plan_context(Schedule& schedule, Rank& rank, const Communicator& communicator, Context* place);

/// The groups of another one, of a context that follows.
CommunicatorRef same_groups(const Communicator& communicator);

/// Members with the same color, by key and then by rank; nullptr where the color is MPI_UNDEFINED, or of an
/// intercommunicator when the other group has none of that color.
CommunicatorRef split(const char* name, Rank& rank, Communicator& communicator, std::int64_t color, int key);

/// Called by the members of the group, all of them in the communicator, alone; `tag` keeps it apart from others.
CommunicatorRef create_of_group(Rank& rank, Communicator& communicator, const Group& group, int tag);

/// A connection of two groups: rank `leader` of `local` reaches the other group's leader over `bridge`.
struct Bridge {
  Communicator& communicator;
  int remote_leader;
  int tag;
};
CommunicatorRef connect(const char* name, Rank& rank, Communicator& local, int leader, const Bridge* bridge);

/// Both groups in one: that with `is_high` behind the other.
CommunicatorRef merge(const char* name, Rank& rank, Communicator& inter, bool is_high);

/// For groups of a session, which have no communicator in common: a tag for what all of them know.
int tag_of_text(std::string_view text);

}  // namespace kaon::ampi
