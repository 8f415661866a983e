// SPDX-License-Identifier: Apache-2.0
#include "tests/ampi_shim/random_programs/messages.hpp"
#include "tests/ampi_shim/random_programs/reporting.hpp"

namespace {

constexpr int kPersistentCapacity = 20001;  // more than the longest message
constexpr int kPersistentReceives = 3;

}  // namespace

struct Receiver::Landing {
  std::vector<int> memory;
  int count = 0;  // elements that it has room for
  bool is_spaced = false;

  Elements elements() const { return {memory.data(), is_spaced ? 2 : 1, static_cast<int>(memory.size())}; }
};

struct Receiver::Persistent {
  Pattern pattern;
  Landing landing;
  MPI_Request request = MPI_REQUEST_NULL;
};

Receiver::Receiver(const Families& families, int rank, Requests& requests, Random& plan)
    : families_(families), requests_(requests) {
  for (int i = 0; i < kPersistentReceives; ++i) {
    persistent_.push_back(std::make_unique<Persistent>());
    Persistent& made = *persistent_.back();
    const int family = plan.below(static_cast<int>(families.size()));
    const Family& of = families[static_cast<std::size_t>(family)];
    const int source = plan.one_in(2) ? MPI_ANY_SOURCE : of.place_of(plan.choose(of.targets_of(rank)));
    made.pattern = {family, source, plan.one_in(2) ? MPI_ANY_TAG : plan.below(kTags)};
    made.landing.memory.resize(kPersistentCapacity);
    MPI_Recv_init(made.landing.memory.data(), kPersistentCapacity, MPI_INT, made.pattern.source, made.pattern.tag,
                  of.comm, &made.request);
    requests_.add_idle(made.request);
  }
}

Receiver::~Receiver() {
  for (const auto& each : persistent_) MPI_Request_free(&each->request);
}

MPI_Comm Receiver::comm_of(const Pattern& pattern) const {
  return families_[static_cast<std::size_t>(pattern.family)].comm;
}

std::shared_ptr<Receiver::Landing> Receiver::make_landing(const Incoming& incoming, Random& random) const {
  const auto landing = std::make_shared<Landing>();
  landing->is_spaced = random.one_in(3);
  landing->count = incoming.largest() + random.below(3);
  landing->memory.assign(static_cast<std::size_t>(landing->count * (landing->is_spaced ? 2 : 1)), -1);
  return landing;
}

bool Receiver::post_persistent(Incoming& incoming) {
  for (const auto& each : persistent_) {
    Persistent& receive = *each;
    if (!requests_.is_idle(receive.request) || !incoming.is_safe(receive.pattern)) continue;
    std::fill(receive.landing.memory.begin(), receive.landing.memory.end(), -1);
    const int number = incoming.post(receive.pattern);
    requests_.start(receive.request, true, [&incoming, &receive, number](const MPI_Status& status) {
      incoming.complete(number, status, receive.landing.elements());
    });
    return true;
  }
  return false;
}

void Receiver::post(Incoming& incoming, Random& random) {
  if (random.one_in(3) && post_persistent(incoming)) return;
  const Pattern pattern = incoming.choose(random);
  const auto landing = make_landing(incoming, random);
  const int number = incoming.post(pattern);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(landing->memory.data(), landing->count, types_.of(landing->is_spaced), pattern.source, pattern.tag,
            comm_of(pattern), &request);
  requests_.add(request, true, [&incoming, landing, number](const MPI_Status& status) {
    incoming.complete(number, status, landing->elements());
  });
}

/// The receive asks for exactly what the probe has found.
void Receiver::probe_and_receive(Incoming& incoming, const Pattern& pattern, Landing& landing, bool is_loop) {
  MPI_Status probed, status;
  int flag = 0, count_probed = -1, count = -2;
  const int number = incoming.post(pattern);
  while (is_loop && flag == 0) MPI_Iprobe(pattern.source, pattern.tag, comm_of(pattern), &flag, &probed);
  if (!is_loop) MPI_Probe(pattern.source, pattern.tag, comm_of(pattern), &probed);
  MPI_Recv(landing.memory.data(), landing.count, types_.of(landing.is_spaced), probed.MPI_SOURCE, probed.MPI_TAG,
           comm_of(pattern), &status);
  MPI_Get_count(&probed, MPI_INT, &count_probed);
  MPI_Get_count(&status, MPI_INT, &count);
  check(count_probed == count, "another message was received than the one that was probed");
  incoming.complete(number, status, landing.elements());
}

void Receiver::match_and_receive(Incoming& incoming, const Pattern& pattern, Landing& landing, bool is_loop) {
  MPI_Status status;
  MPI_Message message = MPI_MESSAGE_NULL;
  int flag = 0;
  const int number = incoming.post(pattern);
  while (is_loop && flag == 0) MPI_Improbe(pattern.source, pattern.tag, comm_of(pattern), &flag, &message, &status);
  if (!is_loop) MPI_Mprobe(pattern.source, pattern.tag, comm_of(pattern), &message, &status);
  if (landing.count % 2 == 0) {
    MPI_Mrecv(landing.memory.data(), landing.count, types_.of(landing.is_spaced), &message, &status);
  } else {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Imrecv(landing.memory.data(), landing.count, types_.of(landing.is_spaced), &message, &request);
    MPI_Wait(&request, &status);
  }
  check(message == MPI_MESSAGE_NULL, "a message that was received has still a handle");
  incoming.complete(number, status, landing.elements());
}

void Receiver::receive(Incoming& incoming, Random& random) {
  const Pattern pattern = incoming.choose(random);
  const auto landing = make_landing(incoming, random);
  const int way = random.below(6);
  if (way == 0 || way == 1) return probe_and_receive(incoming, pattern, *landing, way == 1);
  if (way == 2 || way == 3) return match_and_receive(incoming, pattern, *landing, way == 3);
  const int number = incoming.post(pattern);
  const MPI_Datatype type = types_.of(landing->is_spaced);
  MPI_Status status;
  if (way == 4)
    MPI_Recv(landing->memory.data(), landing->count, type, pattern.source, pattern.tag, comm_of(pattern), &status);
  else
    MPI_Sendrecv(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, landing->memory.data(), landing->count, type, pattern.source,
                 pattern.tag, comm_of(pattern), &status);
  incoming.complete(number, status, landing->elements());
}

void Receiver::post_idle(Random& random) {
  const int family = random.below(static_cast<int>(families_.size()));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(nullptr, 0, MPI_INT, MPI_ANY_SOURCE, kTagOfNothing, comm_of({family}), &request);
  idle_.push_back(request);
  int flag = 1;
  MPI_Iprobe(MPI_ANY_SOURCE, kTagOfNothing, comm_of({family}), &flag, MPI_STATUS_IGNORE);
  check(flag == 0, "a probe finds a message that nobody sends");
}

void Receiver::cancel_idle() {
  for (MPI_Request& request : idle_) {
    MPI_Status status;
    int is_complete = 1, is_cancelled = 0;
    MPI_Test(&request, &is_complete, &status);
    check(is_complete == 0, "a receive got a message that nobody sends");
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &is_cancelled);
    check(is_cancelled != 0, "a receive was not cancelled");
  }
  idle_.clear();
}
