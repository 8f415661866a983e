// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>
#include <kaon/queue_pair.hpp>

#include "bench/gpu/queues/queues.kernels.hpp"

namespace queue_bench {

/// A point of the measurement.
struct Switches {
  std::uint64_t bytes = 8;
  std::uint32_t queues = 1, depth = 1024, ring_every = 1, requests = 10'000;
  std::uint32_t threads = 32;  // of a block that posts
  std::uint32_t blocks = 4;    // that share one queue, for Sharing::grid
  std::uint32_t adapter_blocks = 1;
  Sharing sharing = Sharing::thread;
  gpu::AdapterKind adapter = gpu::AdapterKind::blocks;
  bool is_prefilled = false, is_pipelined = true;

  gpu::Grid grid() const {
    if (sharing == Sharing::thread) return {{1}, {queues}};
    if (sharing == Sharing::warp) return {{1}, {queues * gpu::kThreadsOfAWarp}};
    return {{sharing == Sharing::grid ? blocks : queues}, {threads}};
  }
  std::uint64_t posters() const { return grid().blocks.volume() * grid().threads.volume(); }
};

struct Result {
  double seconds = 0;
  std::uint32_t failures = 0;
  std::uint64_t requests = 0, rings = 0, device_bytes = 0, pinned_bytes = 0;
};

/// An end of the measurement, one on a PE.
class End : public kaon::Chare<End> {
 public:
  static constexpr std::uint32_t kPlaces = 4;  // of each thread

  kaon::Task<std::vector<gpu::QueueOffer>> prepare(Switches switches) {
    switches_ = switches;
    adapter_ = gpu::Adapter::start({.kind = switches.adapter, .sizes = {.blocks = switches.adapter_blocks}});
    const std::uint64_t bytes = switches.bytes * kPlaces * switches.posters();
    source_ = gpu::Buffer<std::byte>(bytes, stream_);
    target_ = gpu::Buffer<std::byte>(bytes, stream_);
    words_ = gpu::Buffer<std::uint32_t>(4, stream_);  // failures, arrived, notice
    ns_ = gpu::Buffer<std::uint64_t>(std::max(switches.requests, Posts::kMostQueues), stream_);
    stream_.fill(source_.span(), 1);
    stream_.fill(words_.span(), 0);
    stream_.fill(ns_.span(), 0);
    local_ = adapter_->add("source", source_);
    const std::vector<gpu::SegmentNumber> offered{adapter_->add("target", target_), adapter_->add("words", words_)};
    const gpu::QueuePairOptions options{
        .depth = switches.depth, .ring_every = switches.ring_every, .is_shared = switches.sharing == Sharing::grid};
    std::vector<gpu::QueueOffer> offers;
    for (std::uint32_t i = 0; i < switches.queues; ++i)
      offers.push_back(pairs_.emplace_back(adapter_, stream_, options).offer(offered));
    co_await stream_.drained();
    co_return offers;
  }
  void connect(std::vector<gpu::QueueOffer> offers) {
    for (std::size_t i = 0; i < offers.size(); ++i) {
      pairs_[i].connect(offers[i]);
      pairs_[i].prefill(request(i), stream_);
    }
  }
  kaon::Task<Result> post() {
    Posts posts{};
    for (std::size_t i = 0; i < pairs_.size(); ++i) posts.queues[i] = pairs_[i].queue();
    posts.request = request(0);
    posts.count = switches_.requests;
    posts.places = kPlaces;
    posts.stored = switches_.is_prefilled ? gpu::StoredFields::offsets : gpu::StoredFields::all;
    posts.is_pipelined = switches_.is_pipelined;
    posts.ns = ns_.data();
    posts.failures = words_.data();
    posts.arrived = words_.data() + 1;
    launch(posts);
    Result result;
    const std::vector<std::uint64_t> ns = co_await times();
    result.failures = failures_;
    result.seconds = static_cast<double>(*std::max_element(ns.begin(), ns.begin() + Posts::kMostQueues)) / 1e9;
    for (gpu::QueuePair& pair : pairs_) {
      const gpu::QueueCounts counts = co_await pair.counts();
      result.requests += counts.posted;
      result.rings += counts.rings;
      result.device_bytes += pair.footprint().device_bytes;
      result.pinned_bytes += pair.footprint().pinned_bytes;
    }
    co_return result;
  }
  /// Nanoseconds of each round, there and back; of the end that answers, nothing.
  kaon::Task<std::vector<std::uint64_t>> talk(bool begins) {
    gpu::WorkRequest put = request(0);
    put.flags = pairs_[0].remote(1);
    put.flag = 2;
    pairs_[0].prefill(put, stream_);
    stream_.launch(
        {{1}, {1}},
        PingPong{pairs_[0].queue(), put, {words_.data() + 2}, switches_.requests, begins, ns_.data(), words_.data()});
    std::vector<std::uint64_t> ns = co_await times();
    if (failures_ != 0) throw std::runtime_error("gpu_queues: a put did not come within 2 s");
    ns.resize(begins ? switches_.requests : 0);
    co_return ns;
  }
  kaon::Task<> close() {
    for (gpu::QueuePair& pair : pairs_) co_await pair.close();
    pairs_.clear();
    adapter_->stop();
    adapter_.reset();
  }
  std::string adapter() { return adapter_->name(); }

 private:
  gpu::WorkRequest request(std::size_t pair) const {
    gpu::WorkRequest request;
    request.opcode = gpu::Opcode::write;
    request.local = local_;
    request.remote = pairs_[pair].remote(0);
    request.bytes = static_cast<std::uint32_t>(switches_.bytes);
    return request;
  }
  void launch(const Posts& posts) {
    switch (switches_.sharing) {
      case Sharing::thread:
        return stream_.launch(switches_.grid(), PostByThreads{posts});
      case Sharing::warp:
        return stream_.launch(switches_.grid(), PostByWarps{posts});
      case Sharing::block:
        return stream_.launch(switches_.grid(), PostByBlocks{posts});
      case Sharing::grid:
        return stream_.launch(switches_.grid(), PostByGrid{posts});
    }
  }
  kaon::Task<std::vector<std::uint64_t>> times() {
    gpu::Pinned<std::uint64_t> ns(ns_.size(), stream_);
    gpu::Pinned<std::uint32_t> words(words_.size(), stream_);
    stream_.copy(ns, ns_.span());
    stream_.copy(words, words_.span());
    co_await stream_.drained();
    failures_ = words[0];
    co_return std::vector<std::uint64_t>(ns.span().begin(), ns.span().end());
  }

  Switches switches_;
  gpu::Stream stream_;
  gpu::Buffer<std::byte> source_, target_;
  gpu::Buffer<std::uint32_t> words_;
  gpu::Buffer<std::uint64_t> ns_;
  std::shared_ptr<gpu::Adapter> adapter_;
  std::vector<gpu::QueuePair> pairs_;
  gpu::SegmentNumber local_ = 0;
  std::uint32_t failures_ = 0;  // of the last kernel
};

}  // namespace queue_bench
