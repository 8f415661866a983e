// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/transfers.hpp"

#include <numeric>
#include <vector>

#include "kaon/ampi_shim/messages/waits.hpp"
#include "tests/ampi_shim/messages/rank_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi {
namespace {

constexpr std::uint64_t kContext = 4;

template <class T>
Outgoing sent(const std::vector<T>& values) {
  return {values.data(), static_cast<MPI_Count>(values.size() * sizeof(T)), nullptr};
}
template <class T>
Incoming received(std::vector<T>& values) {
  return {values.data(), static_cast<MPI_Count>(values.size() * sizeof(T)), nullptr};
}
SendTo to_rank(const Rank& rank, int to, int tag) { return {kContext, to, rank.number(), tag}; }
MatchKey from_rank(int from, int tag) { return {kContext, from, tag}; }

std::vector<int> numbers(std::size_t count, int first) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace

TEST_CASE("messages of all sizes go around a ring of ranks", "[ampi][messages]") {
  const auto shape =
      GENERATE(testing::Network::Shape{1, 1}, testing::Network::Shape{1, 2}, testing::Network::Shape{2, 2});
  const auto count = GENERATE(0u, 1u, 2u, 511u, 513u, 4096u, 4097u, 50000u);
  int ended = 0;
  const int code = run_ranks_of_scene(5, shape, 3, [&](Rank& rank) {
    const int next = (rank.number() + 1) % 5, last = (rank.number() + 4) % 5;
    std::vector<int> values(count);
    MPI_Status status;
    const auto mine = numbers(count, rank.number());
    const int error =
        send_receive(rank, to_rank(rank, next, 7), sent(mine), from_rank(last, 7), received(values), &status);
    if (error != MPI_SUCCESS || values != numbers(count, last) || status.MPI_SOURCE != last || status.MPI_TAG != 7 ||
        status_bytes(status) != count * sizeof(int))
      throw std::runtime_error("rank " + std::to_string(rank.number()) + " has got something else");
    ++ended;
  });
  CHECK(code == 0);
  CHECK(ended == 5);
}

TEST_CASE("messages between two ranks are received in the order in which they were sent", "[ampi][messages]") {
  const auto shape =
      GENERATE(testing::Network::Shape{1, 1}, testing::Network::Shape{1, 2}, testing::Network::Shape{2, 1});
  const auto seed = GENERATE(1u, 2u, 3u, 4u);
  std::vector<int> order;
  run_ranks_of_scene(2, shape, seed, [&](Rank& rank) {
    constexpr int kMessages = 60;
    if (rank.number() == 0) {
      std::vector<std::vector<int>> data;
      std::vector<Request*> requests;
      for (int i = 0; i < kMessages; ++i) data.push_back(numbers(i % 3 == 0 ? 10000 : 10, i));
      for (int i = 0; i < kMessages; ++i)
        requests.push_back(&start_send(rank, to_rank(rank, 1, i % 2), sent(data[static_cast<std::size_t>(i)])));
      wait_for_all(rank, requests);
      for (Request* request : requests) request->was_told();
    } else {
      for (int i = 0; i < kMessages; ++i) {
        std::vector<int> values(10000);
        MPI_Status status;
        receive(rank, from_rank(MPI_ANY_SOURCE, MPI_ANY_TAG), received(values), &status);
        order.push_back(values.front());
      }
    }
  });
  CHECK(order == numbers(60, 0));
}

TEST_CASE("messages that overtake each other are received in their order", "[ampi][messages]") {
  const auto seed = GENERATE(range(1u, 13u));
  std::vector<int> order;
  run_ranks_of_scene(2, {2, 1}, seed, [&](Rank& rank) {
    constexpr std::size_t kMessages = 60;
    std::vector<std::vector<int>> data;
    std::vector<Request*> requests;
    for (std::size_t i = 0; i < kMessages; ++i)
      data.push_back(numbers(rank.number() == 1 || i % 5 == 0 ? 1000 : 10, static_cast<int>(i)));
    for (std::vector<int>& values : data) {
      if (rank.number() == 0)
        requests.push_back(&start_send(rank, to_rank(rank, 1, 0), sent(values)));
      else
        requests.push_back(&start_receive(rank, from_rank(0, 0), received(values)));
      give_way(rank);  // each in a batch of its own
    }
    wait_for_all(rank, requests);
    for (Request* request : requests) request->was_told();
    for (std::size_t i = 0; rank.number() == 1 && i < kMessages; ++i) order.push_back(data[i].front());
  });
  CHECK(order == numbers(60, 0));
}

namespace {

constexpr int kRecalled = 24;  // messages; the even ones are asked back
constexpr int kList = 1000;    // the tag of the list of those that have gone

/// Sends all, asks half of them back, and tells which have gone.
void send_and_ask_back(Rank& rank, bool is_apart) {
  std::vector<std::vector<int>> data;
  std::vector<Request*> requests;
  std::vector<int> have_gone(kRecalled);
  for (int i = 0; i < kRecalled; ++i) data.push_back(numbers(i % 3 == 0 ? 10 : 10000, i));
  for (int i = 0; i < kRecalled; ++i) {
    const auto& values = data[static_cast<std::size_t>(i)];
    requests.push_back(&start_send(rank, to_rank(rank, 1, i), sent(values), SendMode::synchronous));
    if (is_apart) give_way(rank);  // each in a batch of its own
  }
  for (int i = 0; i < kRecalled; i += 2) {
    Request& request = *requests[static_cast<std::size_t>(i)];
    request.cancel();
    request.cancel();  // once more changes nothing
    wait_for(rank, request);
    have_gone[static_cast<std::size_t>(i)] = is_status_cancelled(request.status());
  }
  send(rank, to_rank(rank, 1, kList), sent(have_gone));
  wait_for_all(rank, requests);
  for (Request* request : requests) request->was_told();
}

/// Receives for every fourth are there early; gives how many messages came, each of which must be the right one.
int receive_what_is_left(Rank& rank) {
  std::vector<std::vector<int>> data(kRecalled, std::vector<int>(10000));
  std::vector<Request*> early(kRecalled, nullptr);
  for (std::size_t i = 2; i < kRecalled; i += 4)
    early[i] = &start_receive(rank, from_rank(0, static_cast<int>(i)), received(data[i]));
  std::vector<int> have_gone(kRecalled);
  receive(rank, from_rank(0, kList), received(have_gone), nullptr);
  int came = 0;
  for (std::size_t i = 0; i < kRecalled; ++i) {
    if (early[i] != nullptr) {
      if (have_gone[i] != 0) early[i]->cancel();
      wait_for(rank, *early[i]);
      const bool was_withdrawn = is_status_cancelled(early[i]->status());
      early[i]->was_told();
      if (was_withdrawn != (have_gone[i] != 0)) return -1;
    } else if (have_gone[i] == 0) {
      if (i % 2 == 0) return -1;  // nobody had received it
      receive(rank, from_rank(0, static_cast<int>(i)), received(data[i]), nullptr);
    }
    if (have_gone[i] != 0) continue;
    if (data[i].front() != static_cast<int>(i)) return -1;
    ++came;
  }
  return came;
}

}  // namespace

TEST_CASE("a send that is asked back has gone or is received, in any order of things", "[ampi][messages]") {
  const auto shape =
      GENERATE(testing::Network::Shape{1, 1}, testing::Network::Shape{1, 2}, testing::Network::Shape{2, 1});
  const auto seed = GENERATE(range(1u, 13u));
  int came = 0;
  run_ranks_of_scene(2, shape, seed, [&](Rank& rank) {
    if (rank.number() == 0)
      send_and_ask_back(rank, seed % 2 == 0);
    else
      came = receive_what_is_left(rank);
  });
  CHECK(came >= kRecalled / 2);
}

namespace {

/// Begun at once; says when it goes.
class Tracked final : public Request {
 public:
  explicit Tracked(bool& has_gone) : Request(false), has_gone_(has_gone) { begin(); }
  ~Tracked() override { has_gone_ = true; }
  void end() { complete(MPI_SUCCESS); }
  std::string describe() const override { return "for a test"; }

 private:
  bool& has_gone_;
};

}  // namespace

TEST_CASE("a request that is freed under way goes at its end", "[ampi][messages]") {
  bool has_gone = false, went_early = true;
  run_ranks_of_scene(1, {1, 1}, 1, [&](Rank&) {
    auto* const request = new Tracked(has_gone);
    request->free();
    went_early = has_gone;
    request->end();
  });
  CHECK_FALSE(went_early);
  CHECK(has_gone);
}

TEST_CASE("a receive whose data are on their way is not cancelled any more", "[ampi][messages]") {
  bool was_under_way = false, was_cancelled = false, came = true;
  for (unsigned seed = 1; seed <= 200; ++seed) {  // in some of these orders they are
    run_ranks_of_scene(2, {2, 1}, seed, [&](Rank& rank) {
      constexpr std::size_t kCount = 50000;
      if (rank.number() == 0) {
        for (int first : {7, 8}) send(rank, to_rank(rank, 1, 3), sent(numbers(kCount, first)));
        return;
      }
      std::vector<int> values(kCount), others(kCount);
      Request& request = start_receive(rank, from_rank(0, 3), received(values));
      while (request.is_active() && request.describe().find("on their way") == std::string::npos) give_way(rank);
      was_under_way |= request.is_active();
      request.cancel();
      wait_for(rank, request);
      was_cancelled |= is_status_cancelled(request.status());
      request.was_told();
      receive(rank, from_rank(0, MPI_ANY_TAG), received(others));
      came &= values == numbers(kCount, 7) && others == numbers(kCount, 8);
    });
  }
  CHECK(was_under_way);
  CHECK_FALSE(was_cancelled);
  CHECK(came);
}

TEST_CASE("a message that is asked back is its sender's, and no other's of the same number", "[ampi][messages]") {
  const auto seed = GENERATE(range(1u, 41u));
  constexpr int kRounds = 8;
  std::vector<int> others;
  run_ranks_of_scene(3, {3, 1}, seed, [&](Rank& rank) {
    std::vector<int> value(10);
    for (int round = 0; round < kRounds; ++round) {
      if (rank.number() == 2) {
        receive(rank, from_rank(1, 0), received(value));
        others.push_back(value.front());
        continue;
      }
      const std::vector<int> own = numbers(10, round);
      Request& request =
          start_send(rank, to_rank(rank, 2, rank.number() == 0 ? 1 : 0), sent(own), SendMode::synchronous);
      if (seed % 2 == 0) give_way(rank);  // the recall is in a batch of its own
      if (rank.number() == 0) request.cancel();
      wait_for(rank, request);
      request.was_told();
    }
  });
  CHECK(others == numbers(kRounds, 0));
}

}  // namespace kaon::ampi
