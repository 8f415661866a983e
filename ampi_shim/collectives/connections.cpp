// SPDX-License-Identifier: Apache-2.0
// Communicators that some ranks make without the others.
#include <algorithm>
#include <limits>

#include "kaon/ampi_shim/collectives/creation.hpp"
#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "kaon/ampi_shim/messages/transfers.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {

namespace {

/// Bytes between two ranks of a communicator, apart from its users' messages.
class Line {
 public:
  Line(Rank& rank, const Communicator& communicator, int tag) : rank_(rank), communicator_(communicator), tag_(tag) {}

  void send(int peer, const void* data, std::size_t bytes) const {
    check(ampi::send(rank_, to(peer), {data, static_cast<MPI_Count>(bytes), nullptr}));
  }
  void receive(int peer, void* data, std::size_t bytes) const {
    check(ampi::receive(rank_, from(peer), {data, static_cast<MPI_Count>(bytes), nullptr}));
  }
  void exchange(int peer, const void* data, std::size_t bytes, void* others, std::size_t others_bytes) const {
    check(send_receive(rank_, to(peer), {data, static_cast<MPI_Count>(bytes), nullptr}, from(peer),
                       {others, static_cast<MPI_Count>(others_bytes), nullptr}));
  }

 private:
  SendTo to(int peer) const {
    return {communicator_.context(Traffic::creation), communicator_.rank_in_run(peer), communicator_.rank(), tag_};
  }
  MatchKey from(int peer) const { return {communicator_.context(Traffic::creation), peer, tag_}; }
  static void check(int error) {
    if (error != MPI_SUCCESS) throw MpiFault(error, "the other side has sent something else: are the arguments alike?");
  }

  Rank& rank_;
  const Communicator& communicator_;
  int tag_;
};

}  // namespace

// A binomial tree from the group's first member.
CommunicatorRef create_of_group(Rank& rank, Communicator& communicator, const Group& group, int tag) {
  const std::vector<int> in_communicator = group.translate(Group(0, group.size()).members(), communicator.group());
  const int me = group.member_of(rank.number());
  if (me == MPI_UNDEFINED) return nullptr;
  const Line line(rank, communicator, tag);
  const auto peer = [&](int member) { return in_communicator[static_cast<std::size_t>(member)]; };
  Context context = me == 0 ? rank.part<Communicators>().new_context() : kNoContext;
  int bit = 1;
  while (bit < group.size() && (me & bit) == 0) bit *= 2;
  if (me != 0) line.receive(peer(me - bit), &context, sizeof context);
  for (bit /= 2; bit > 0; bit /= 2) {
    if (me + bit < group.size()) line.send(peer(me + bit), &context, sizeof context);
  }
  CommunicatorRef made(new Communicator(context, group, me));
  made->errors = communicator.errors;
  return made;
}

namespace {

/// What leaders tell each other first.
struct Introduction {
  Context context = kNoContext;
  int members = 0;
};

}  // namespace

CommunicatorRef connect(const char* name, Rank& rank, Communicator& local, int leader, const Bridge* bridge) {
  const bool leads = local.rank() == leader;
  Introduction mine{rank.part<Communicators>().new_context(), local.size()};
  Introduction both[2] = {mine, {}};
  std::vector<int> others;
  if (leads) {
    const Line line(rank, bridge->communicator, bridge->tag);
    line.exchange(bridge->remote_leader, &mine, sizeof mine, &both[1], sizeof both[1]);
    others.resize(static_cast<std::size_t>(both[1].members));
    const std::vector<int> own = local.group().members();
    line.exchange(bridge->remote_leader, own.data(), own.size() * sizeof(int), others.data(),
                  others.size() * sizeof(int));
  }
  const auto tell = [&](void* data, std::size_t bytes) {
    run_now(name, rank, local, [&](Schedule& schedule) {
      plan_broadcast(schedule, team_of(local), bytes_at(data, static_cast<MPI_Count>(bytes)), leader);
    });
  };
  tell(both, sizeof both);
  others.resize(static_cast<std::size_t>(both[1].members));
  tell(others.data(), others.size() * sizeof(int));
  const Context context = std::min(both[0].context, both[1].context);
  CommunicatorRef made(new Communicator(context, local.group(), local.rank(), Group(std::move(others))));
  made->errors = local.errors;
  return made;
}

int tag_of_text(std::string_view text) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char character : text) hash = (hash ^ static_cast<unsigned char>(character)) * 16777619u;
  // Below all tags of users, and far from MPI_ANY_TAG.
  return std::numeric_limits<int>::min() + static_cast<int>(hash & 0x3fffffff);
}

}  // namespace kaon::ampi
