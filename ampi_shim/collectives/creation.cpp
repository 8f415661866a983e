// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/collectives/creation.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>

#include "kaon/ampi_shim/collectives/meeting_broadcasts.hpp"
#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {

Team team_of(const Communicator& communicator) {
  return {communicator.rank(), communicator.size(), communicator.is_inter() ? Side::local_group : Side::peers};
}

Sides sides_of(const Communicator& communicator) { return {team_of(communicator), communicator.peer_count()}; }

const Places* places_of(Rank& rank, Communicator& communicator) {
  const Places* const places = communicator.size() < 3 ? nullptr : all_places_of(rank, communicator);
  return places != nullptr && places->are_worth_it() ? places : nullptr;
}

namespace {

/// For each communicator the places that one of its ranks has found, for the others of this thread's PE: each looking
/// at all ranks would take time by the square of their number.
class FoundPlaces {
 public:
  std::shared_ptr<const Places> find(Context context) const {
    const auto found = all_.find(context);
    return found != all_.end() ? found->second.lock() : nullptr;
  }
  void note(Context context, const std::shared_ptr<const Places>& places) {
    if (all_.size() >= most_) forget_those_gone();
    all_[context] = places;
  }

 private:
  void forget_those_gone() {
    std::erase_if(all_, [](const auto& each) { return each.second.expired(); });
    most_ = 2 * all_.size() + kFew;
  }

  static constexpr std::size_t kFew = 64;
  std::unordered_map<Context, std::weak_ptr<const Places>> all_;
  std::size_t most_ = kFew;
};

thread_local FoundPlaces found_places;

std::shared_ptr<const Places> make_places(Rank& rank, Communicator& communicator) {
  const auto pe_of = [&rank, &communicator](int member) {
    return static_cast<int>(rank.pe_of(communicator.rank_in_run(member)));
  };
  const Context context = communicator.context(Traffic::collective);
  if (const auto found = found_places.find(context))
    return std::make_shared<const Places>(communicator.rank(), *found, pe_of);
  auto made = std::make_shared<const Places>(communicator.rank(), communicator.size(), pe_of);
  found_places.note(context, made);
  return made;
}

}  // namespace

const Places* all_places_of(Rank& rank, Communicator& communicator) {
  if (communicator.is_inter() || communicator.size() < 2) return nullptr;
  if (communicator.places == nullptr) communicator.places = make_places(rank, communicator);
  return communicator.places.get();
}

namespace {

/// What the speakers of two groups propose; both take the lower one.
struct Proposals {
  Context own;
  Context others;
  Context* result;
  static void decide(void* self) {
    const auto& proposals = *static_cast<Proposals*>(self);
    *proposals.result = std::min(proposals.own, proposals.others);
  }
};

}  // namespace

void plan_context(Schedule& schedule, Rank& rank, const Communicator& communicator, Context* place) {
  const bool speaks = communicator.rank() == 0;
  const Context own = speaks ? rank.part<Communicators>().new_context() : kNoContext;
  if (!communicator.is_inter()) {
    *place = own;
  } else if (speaks) {
    auto* const proposals = static_cast<Proposals*>(schedule.scratch(sizeof(Proposals)));
    *proposals = {own, kNoContext, place};
    schedule.receive(0, bytes_at(&proposals->others, sizeof(Context)));
    schedule.send(0, bytes_at(&proposals->own, sizeof(Context)));
    schedule.fence();
    schedule.call(&Proposals::decide, proposals);
  }
  plan_broadcast(schedule, team_of(communicator), bytes_at(place, sizeof(Context)), 0);
}

CommunicatorRef same_groups(const Communicator& communicator) {
  CommunicatorRef made;
  if (communicator.is_inter()) {
    made = new Communicator(kNoContext, communicator.group(), communicator.rank(), communicator.peers());
  } else {
    made = new Communicator(kNoContext, communicator.group(), communicator.rank());
  }
  made->errors = communicator.errors;
  return made;
}

namespace {

/// What a rank says of itself in a split.
struct Choice {
  std::int64_t color;
  Context context;  // in case that it becomes the new rank 0
  int key;
  int rank_in_run;
};

/// Those with the color, as they are ordered in the new group.
std::vector<Choice> chosen(std::vector<Choice> all, std::int64_t color) {
  std::erase_if(all, [color](const Choice& choice) { return choice.color != color; });
  std::stable_sort(all.begin(), all.end(), [](const Choice& a, const Choice& b) { return a.key < b.key; });
  return all;
}

/// A split at a meeting: each rank looks at the choices of all in the meeting's store and keeps those of its color, so
/// that a thousand ranks of a PE do not hold a thousand choices each.
class ChoicesShare final : public AllgatherShare {
 public:
  explicit ChoicesShare(const Choice& own)
      : AllgatherShare(Kind::split, mine(own), Blocks(const_cast<Choice*>(&own), sizeof own, *Datatype::of(MPI_BYTE))),
        color_(own.color) {}

  void take(Meeting& meeting) override {
    std::vector<std::pair<int, Choice>> found;  // with their ranks in the communicator that is split
    const MPI_Count end = walk(meeting, [&](int member, MPI_Count start) {
      Choice choice;
      std::memcpy(&choice, meeting.store() + start, sizeof choice);
      if (choice.color == color_) found.emplace_back(member, choice);
    });
    if (static_cast<std::size_t>(end) != meeting.stored()) return note_error(MPI_ERR_OTHER);
    if (!meeting.is_in_order()) std::ranges::sort(found, {}, &std::pair<int, Choice>::first);
    for (const auto& [member, choice] : found) same_color.push_back(choice);
  }

  std::vector<Choice> same_color;

 private:
  static Piece mine(const Choice& own) { return bytes_at(const_cast<Choice*>(&own), sizeof own); }
  const std::int64_t color_;
};

Group group_from(const std::vector<Choice>& choices) {
  std::vector<int> members;
  members.reserve(choices.size());
  for (const Choice& choice : choices) members.push_back(choice.rank_in_run);
  return Group(std::move(members));
}

struct Choices {
  std::vector<Choice> local;
  std::vector<Choice> remote;
};

Choices gather_choices(const char* name, Rank& rank, Communicator& communicator, Choice own) {
  Choices all;
  if (Meeting* const meeting = Meeting::of(rank, communicator)) {
    ChoicesShare share(own);
    meeting->attend({name, rank, communicator}, share);
    return {std::move(share.same_color), {}};
  }
  all.local.resize(static_cast<std::size_t>(communicator.size()));
  if (communicator.is_inter()) all.remote.resize(static_cast<std::size_t>(communicator.peer_count()));
  run_now(name, rank, communicator, [&](Schedule& schedule) {
    const Piece mine = bytes_at(&own, sizeof own);
    plan_allgather(schedule, team_of(communicator), mine, Blocks(all.local.data(), sizeof own, *mine.type));
    if (!communicator.is_inter()) return;
    plan_inter_allgather(schedule, sides_of(communicator), mine, Blocks(all.remote.data(), sizeof own, *mine.type));
  });
  return all;
}

}  // namespace

CommunicatorRef split(const char* name, Rank& rank, Communicator& communicator, std::int64_t color, int key) {
  const Choice own{color, rank.part<Communicators>().new_context(), key, rank.number()};
  Choices all = gather_choices(name, rank, communicator, own);
  if (color == MPI_UNDEFINED) return nullptr;
  const std::vector<Choice> members = chosen(std::move(all.local), color);
  const Group group = group_from(members);
  const int new_rank = group.member_of(rank.number());
  CommunicatorRef made;
  if (!communicator.is_inter()) {
    made = new Communicator(members.front().context, group, new_rank);
  } else {
    const std::vector<Choice> others = chosen(std::move(all.remote), color);
    if (others.empty()) return nullptr;
    const Context context = std::min(members.front().context, others.front().context);
    made = new Communicator(context, group, new_rank, group_from(others));
  }
  made->errors = communicator.errors;
  return made;
}

CommunicatorRef merge(const char* name, Rank& rank, Communicator& inter, bool is_high) {
  struct Side {
    Context context;
    std::int64_t is_high;
  };
  Side both[2] = {{rank.part<Communicators>().new_context(), is_high}, {}};  // the own group's speaker, the other's
  run_now(name, rank, inter, [&](Schedule& schedule) {
    if (inter.rank() == 0) {
      schedule.receive(0, bytes_at(&both[1], sizeof both[1]));
      schedule.send(0, bytes_at(&both[0], sizeof both[0]));
      schedule.fence();
    }
    plan_broadcast(schedule, team_of(inter), bytes_at(both, sizeof both), 0);
  });
  const bool first = both[0].is_high != both[1].is_high ? both[0].is_high == 0 : both[0].context < both[1].context;
  std::vector<int> members = (first ? inter.group() : inter.peers()).members();
  const std::vector<int> behind = (first ? inter.peers() : inter.group()).members();
  members.insert(members.end(), behind.begin(), behind.end());
  const int new_rank = inter.rank() + (first ? 0 : inter.peer_count());
  CommunicatorRef made(
      new Communicator(std::min(both[0].context, both[1].context), Group(std::move(members)), new_rank));
  made->errors = inter.errors;
  return made;
}

}  // namespace kaon::ampi
