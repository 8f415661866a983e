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

}  // namespace kaon::ampi
