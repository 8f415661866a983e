// SPDX-License-Identifier: Apache-2.0
// Answers that come over the network to a send of a rank.
#include <bit>
#include <cstdint>

#include "kaon/ampi_shim/messages/remote.hpp"
#include "tests/ampi_shim/messages/rank_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi {

TEST_CASE("an answer that no send waits for is an error, whatever it names", "[ampi][messages][strangers]") {
  const std::uint64_t named = GENERATE(std::uint64_t{1}, std::uint64_t{1} << 32, std::uint64_t{0x7fff'dead'bee8});
  const bool is_recall = GENERATE(false, true);
  const auto forge = [&](Rank& rank) {
    if (rank.number() != 0) return;
    Envelope envelope;
    envelope.from = 1;
    envelope.ranks = rank.collection();
    envelope.waiting_send = std::bit_cast<decltype(envelope.waiting_send)>(named);
    const Recall recall{1, 0, envelope.ranks, 0, envelope.waiting_send};
    if (is_recall)
      answer_recall(rank, recall, true);
    else
      tell_matched(rank, envelope);
  };
  CHECK_THROWS_WITH(run_ranks_of_scene(2, {2, 1}, 3, forge), testing::contains_text("does not wait for it"));
}

}  // namespace kaon::ampi
