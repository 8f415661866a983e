// SPDX-License-Identifier: Apache-2.0
// threads: streams of two devices that start puts and wait for them
// Puts that streams start, many rounds ahead of the devices: no task waits between two rounds.
#include <numeric>
#include <optional>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/puts/put_node.hpp"
#include "tests/puts/put_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace stream_puts {

constexpr std::uint32_t kPuts = 3, kWords = 20, kRounds = 25;

/// Sends or receives: in each round the sender's stream waits until the last one was read.
class Node : public Chare<Node> {
 public:
  Task<PutOffer> prepare() {
    for (const auto* buffer : {&pieces_, &flags_, &wrong_}) stream_.fill(buffer->span(), 0);
    co_await stream_.drained();
    const PutOffer offer{gpu::share_segment(pieces_), gpu::share_segment(flags_)};
    co_return offer;
  }
  Task<> connect(PutOffer theirs, bool sends) {
    read_ = gpu::open_segment<std::uint32_t>(theirs.flags);
    if (!sends) co_return;
    gpu::SegmentTable table;
    const auto from = table.add("pieces", pieces_), to = table.add("their pieces", theirs.pieces);
    const auto flags = table.add("arrivals", theirs.flags);
    std::vector<gpu::Put> puts;
    for (std::uint16_t i = 0; i < kPuts; ++i) puts.push_back({from, to, flags, i, kBytes, i * kBytes, i * kBytes});
    list_.emplace(table, puts, stream_, gpu::PreparedPutsOptions{.started_by = puts::starter});
  }
  Task<> send() {
    for (std::uint32_t round = 1; round <= kRounds; ++round) {
      stream_.wait(gpu::FlagWord{flags_.data()}, round - 1);
      stream_.for_each(kPuts, WritePieces{own_pieces(), round});
      list_->start(stream_, round);
    }
    co_await stream_.drained();
  }
  /// How much was wrong.
  Task<std::uint32_t> receive() {
    for (std::uint32_t round = 1; round <= kRounds; ++round) {
      for (std::uint32_t put = 0; put < kPuts; ++put) stream_.wait(gpu::FlagWord{flags_.data() + put}, round);
      stream_.for_each(kPuts, CheckPieces{own_pieces(), round, wrong_.data()});
      stream_.raise_to({read_.data()}, round);
    }
    gpu::Pinned<std::uint32_t> seen(kPuts, stream_);
    stream_.copy(seen, wrong_.span());
    co_await stream_.drained();
    co_return std::accumulate(seen.span().begin(), seen.span().end(), 0u);
  }

 private:
  static constexpr std::uint64_t kBytes = kWords * sizeof(std::uint32_t);
  PutPieces own_pieces() const { return {pieces_.data(), kPuts, kWords}; }

  gpu::Stream stream_;
  gpu::Buffer<std::uint32_t> pieces_{kPuts * kWords, stream_}, flags_{kPuts, stream_}, wrong_{kPuts, stream_};
  gpu::Span<std::uint32_t> read_;  // at the partner
  std::optional<gpu::PreparedPuts> list_;
};

Task<> exchange(Runtime& runtime) {
  const auto nodes = co_await runtime.create_group<Node>();
  const PutOffer sender = co_await nodes[0].call<&Node::prepare>();
  const PutOffer receiver = co_await nodes[1].call<&Node::prepare>();
  co_await nodes[0].call<&Node::connect>(receiver, true);
  co_await nodes[1].call<&Node::connect>(sender, false);
  const auto [sent, wrong] = co_await kaon::all(nodes[0].call<&Node::send>(), nodes[1].call<&Node::receive>());
  static_cast<void>(sent);
  CHECK(wrong == 0);
}

}  // namespace stream_puts

TEST_CASE("streams start puts and wait for them, and no task waits between rounds", "[puts]") {
  for (const gpu::PutsStartedBy starter : kStarters)
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      INFO("seed " << seed << ", started by " << number_of(starter));
      puts::starter = starter;
      DeviceScene(settings_of({1, 2}, seed)).run(stream_puts::exchange);
    }
}

TEST_CASE("a stream refuses a word without an address", "[puts][bad input]") {
  DeviceScene scene(settings_of({1, 1}, 1));
  scene.network().on(0, [](Pe&) {
    gpu::Stream stream;
    CHECK(has(thrown<UsageError>([&] { stream.wait(gpu::FlagWord{}, 1); }), "gpu::Stream::wait(): the word has no"));
    CHECK(has(thrown<UsageError>([&] { stream.raise_to({}, 1); }), "gpu::Stream::raise_to(): the word has no address"));
  });
}

}  // namespace kaon::testing
