// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/queues/queue_pair.hpp"
#include "tests/queues/queues.kernels.hpp"

namespace kaon::testing {

enum class Sharing : std::uint32_t { thread, warp, block, grid };

/// How a QueueNode posts.
struct QueuePlan {
  gpu::AdapterKind kind = gpu::AdapterKind::blocks;
  Sharing sharing = Sharing::thread;
  std::uint32_t queues = 1, depth = 8, ring_every = 1;
  std::uint32_t rounds = 20;  // requests of each thread
  std::uint32_t blocks = 1;   // of the adapter
  gpu::Opcode opcode = gpu::Opcode::write;
  gpu::StoredFields stored = gpu::StoredFields::all;
  bool is_through_ring = false;  // one thread, which overwrites words that are done
  std::uint32_t words = 40;      // of a conversation

  gpu::Grid grid() const {
    switch (sharing) {
      case Sharing::thread:
        return {{1}, {queues}};
      case Sharing::warp:
        return {{1}, {queues * gpu::kThreadsOfAWarp}};
      case Sharing::block:
        return {{queues}, {4}};
      case Sharing::grid:
        return {{3}, {5}};
    }
    return {};
  }
  /// In the emulation a warp has one thread.
  std::uint32_t threads(bool is_emulated) const {
    const auto all = static_cast<std::uint32_t>(grid().blocks.volume() * grid().threads.volume());
    return sharing == Sharing::warp && is_emulated ? queues : all;
  }
  std::uint32_t requests(bool is_emulated) const { return threads(is_emulated) * rounds; }
};

/// The result of a node's posts.
struct PostOutcome {
  std::uint32_t failures = 0, status = 0, posted = 0, rings = 0, completed = 0, entries = 0;
  std::size_t device_bytes = 0, pinned_bytes = 0;
};

/// One a PE: it posts requests to queue pairs whose partners are those of another node, or its own.
class QueueNode : public Chare<QueueNode> {
 public:
  Task<std::vector<gpu::QueueOffer>> prepare(QueuePlan plan) {
    plan_ = plan;
    adapter_ = gpu::Adapter::start(
        {.kind = plan.kind, .sizes = {.queues = 8, .segments = 64, .blocks = plan.blocks, .threads = 64}});
    const std::size_t count = plan.is_through_ring ? 2 * plan.depth : plan.requests(is_emulated()) + plan.words;
    source_ = gpu::Buffer<std::uint64_t>(count, stream_);
    target_ = gpu::Buffer<std::uint64_t>(count, stream_);
    words_ = gpu::Buffer<std::uint32_t>(8, stream_);  // failures, status, arrived, wrong, flag
    stream_.for_each(count, FillWords{plan.opcode == gpu::Opcode::read ? target_.data() : source_.data()});
    stream_.fill((plan.opcode == gpu::Opcode::read ? source_ : target_).span(), 0);
    stream_.fill(words_.span(), 0);
    local_ = adapter_->add("source", source_);
    const std::vector<gpu::SegmentNumber> offered{adapter_->add("target", target_), adapter_->add("flags", words_)};
    gpu::QueuePairOptions options{.depth = plan.depth, .ring_every = plan.ring_every};
    options.is_shared = plan.sharing == Sharing::grid;
    std::vector<gpu::QueueOffer> offers;
    for (std::uint32_t i = 0; i < plan.queues; ++i) {
      pairs_.push_back(std::make_unique<gpu::QueuePair>(adapter_, stream_, options));
      offers.push_back(pairs_.back()->offer(offered));
    }
    co_await stream_.drained();
    co_return offers;
  }
  void connect(std::vector<gpu::QueueOffer> offers) {
    for (std::size_t i = 0; i < offers.size(); ++i) {
      pairs_[i]->connect(offers[i]);
      if (plan_.stored != gpu::StoredFields::all) pairs_[i]->prefill(request(i), stream_);
    }
  }
  Task<PostOutcome> post() {
    PostPlan plan{};
    for (std::size_t i = 0; i < pairs_.size(); ++i) plan.queues[i] = pairs_[i]->queue();
    plan.request = request(0);
    plan.rounds = plan_.rounds;
    plan.stored = plan_.stored;
    plan.failures = words_.data();
    plan.arrived = words_.data() + 2;
    launch(plan);
    const auto [failures, status] = co_await seen(0);
    PostOutcome outcome{failures, status};
    for (const auto& pair : pairs_) {
      const gpu::QueueCounts counts = co_await pair->counts();
      outcome.posted += counts.posted;
      outcome.rings += counts.rings;
      outcome.completed += counts.completed;
      outcome.entries += counts.entries;
      outcome.device_bytes += pair->footprint().device_bytes;
      outcome.pinned_bytes += pair->footprint().pinned_bytes;
    }
    co_return outcome;
  }
  /// How many words of this node's memory are not what requests of its partner, or its own reads, bring.
  Task<std::uint32_t> wrong() {
    const auto& buffer = plan_.opcode == gpu::Opcode::read ? source_ : target_;
    const std::size_t count = plan_.requests(is_emulated());
    stream_.launch({{4}, {32}}, CountWrongWords{buffer.data(), count, words_.data() + 3});
    const auto [arrived, wrong] = co_await seen(2);
    static_cast<void>(arrived);
    co_return wrong;
  }
  /// The last values that came through a ring of slots.
  Task<std::uint32_t> wrong_in_ring(std::uint32_t posted) {
    gpu::Pinned<std::uint64_t> values(target_.size(), stream_);
    stream_.copy(values, target_.span());
    co_await stream_.drained();
    const auto slots = static_cast<std::uint32_t>(target_.size());
    std::uint32_t wrong = 0;
    for (std::uint32_t round = posted - slots; round != posted; ++round) wrong += values[round % slots] != round;
    co_return wrong;
  }
  Task<std::uint32_t> converse(bool begins) {
    gpu::WorkRequest put = request(0);
    put.bytes = plan_.words * sizeof(std::uint64_t);
    put.flags = pairs_[0]->remote(1);
    put.flag = 4;
    pairs_[0]->prefill(put, stream_);
    stream_.launch({{1}, {1}}, Converse{pairs_[0]->queue(),
                                        put,
                                        source_.data(),
                                        target_.data(),
                                        {words_.data() + 4},
                                        plan_.words,
                                        plan_.rounds,
                                        begins ? 1U : 0U,
                                        words_.data()});
    const auto [failures, status] = co_await seen(0);
    static_cast<void>(status);
    co_return failures;
  }
  Task<> close() {
    for (const auto& pair : pairs_) co_await pair->close();
    pairs_.clear();
    adapter_->stop();
    adapter_.reset();
  }

 private:
  bool is_emulated() const { return stream_.device().card().is_emulated(); }
  gpu::WorkRequest request(std::size_t pair) const {
    gpu::WorkRequest request;
    request.opcode = plan_.opcode;
    request.local = local_;
    request.remote = pairs_[pair]->remote(0);
    request.bytes = sizeof(std::uint64_t);
    return request;
  }
  void launch(const PostPlan& plan) {
    if (plan_.is_through_ring) {
      stream_.launch({{1}, {1}}, PostThroughRing{plan, source_.data(), 2 * plan_.depth, posted_});
      posted_ += plan_.rounds;
      return;
    }
    switch (plan_.sharing) {
      case Sharing::thread:
        return stream_.launch(plan_.grid(), PostByThreads{plan});
      case Sharing::warp:
        return stream_.launch(plan_.grid(), PostByWarps{plan});
      case Sharing::block:
        return stream_.launch(plan_.grid(), PostByBlocks{plan});
      case Sharing::grid:
        return stream_.launch(plan_.grid(), PostByGrid{plan});
    }
  }
  Task<std::pair<std::uint32_t, std::uint32_t>> seen(std::size_t first) {
    gpu::Pinned<std::uint32_t> values(words_.size(), stream_);
    stream_.copy(values, words_.span());
    co_await stream_.drained();
    co_return std::pair(values[first], values[first + 1]);
  }

  QueuePlan plan_;
  gpu::Stream stream_;
  gpu::Buffer<std::uint64_t> source_, target_;
  gpu::Buffer<std::uint32_t> words_;
  std::shared_ptr<gpu::Adapter> adapter_;
  std::vector<std::unique_ptr<gpu::QueuePair>> pairs_;
  gpu::SegmentNumber local_ = 0;
  std::uint32_t posted_ = 0;  // through the ring
};

/// Connects the first node with the last, which may be the same.
inline Task<> connect_nodes(Group<QueueNode> nodes, int last, QueuePlan plan) {
  const auto first_offers = co_await nodes[0].call<&QueueNode::prepare>(plan);
  if (last == 0) {
    co_await nodes[0].call<&QueueNode::connect>(first_offers);
    co_return;
  }
  const auto last_offers = co_await nodes[last].call<&QueueNode::prepare>(plan);
  co_await nodes[0].call<&QueueNode::connect>(last_offers);
  co_await nodes[last].call<&QueueNode::connect>(first_offers);
}
inline Task<> close_nodes(Group<QueueNode> nodes, int last) {
  co_await nodes[0].call<&QueueNode::close>();
  if (last != 0) co_await nodes[last].call<&QueueNode::close>();
}

/// The first node posts; the words that came wrong at the last, or its own after reads, are added to the failures.
inline Task<PostOutcome> exchange_requests(Group<QueueNode> nodes, int last, QueuePlan plan) {
  co_await connect_nodes(nodes, last, plan);
  PostOutcome outcome = co_await nodes[0].call<&QueueNode::post>();
  const int reader = plan.opcode == gpu::Opcode::read ? 0 : last;
  outcome.failures += plan.is_through_ring ? co_await nodes[reader].call<&QueueNode::wrong_in_ring>(plan.rounds)
                                           : co_await nodes[reader].call<&QueueNode::wrong>();
  co_await close_nodes(nodes, last);
  co_return outcome;
}

/// Both ends put words into each other's memory, with notices.
inline Task<std::uint32_t> converse(Group<QueueNode> nodes, int last, QueuePlan plan) {
  co_await connect_nodes(nodes, last, plan);
  const auto [there, here] =
      co_await kaon::all(nodes[0].call<&QueueNode::converse>(true), nodes[last].call<&QueueNode::converse>(false));
  co_await close_nodes(nodes, last);
  co_return there + here;
}

}  // namespace kaon::testing
