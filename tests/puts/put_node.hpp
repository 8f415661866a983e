// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/puts/puts.kernels.hpp"

namespace kaon::testing {

/// The segments of a sender or receiver that its partner must know.
struct PutOffer {
  gpu::SegmentRange pieces, flags;
  template <class Archive>
  void pup(Archive& archive) {
    archive(pieces, flags);
  }
};

/// How a PutNode sends.
struct PutPlan {
  std::uint32_t puts = 4, words = 10, rounds = 60;
  std::uint32_t first = 0;   // where flags begin
  std::uint32_t blocks = 1;  // that start puts; 0: a kernel that starts the copies itself
  std::uint32_t copies_of_each = 2, ring = 8;
  gpu::PutsStartedBy started_by = gpu::PutsStartedBy::automatic;  // with blocks
  bool tells_sent = false;
};

/// One a PE: it sends puts, or receives them, and checks what came.
class PutNode : public Chare<PutNode> {
 public:
  Task<PutOffer> prepare(PutPlan plan) {
    plan_ = plan;
    pieces_ = gpu::Buffer<std::uint32_t>(std::size_t{plan.puts} * plan.words + 1, stream_);
    flags_ = gpu::Buffer<std::uint32_t>(plan.puts, stream_);
    failures_ = gpu::Buffer<std::uint32_t>(1, stream_);
    gpu::Pinned<std::uint32_t> begin(plan.puts, stream_);
    for (std::uint32_t& word : begin.span()) word = plan.first;
    stream_.copy(flags_.span(), begin);
    stream_.fill(failures_.span(), 0);
    co_await stream_.drained();
    const PutOffer offer{gpu::share_segment(pieces_), gpu::share_segment(flags_)};
    co_return offer;
  }
  /// Prepares the puts of the sender, before kernels wait for them.
  Task<> connect(PutOffer theirs, bool sends) {
    read_ = gpu::open_segment<std::uint32_t>(theirs.flags);
    if (!sends) co_return;
    gpu::SegmentTable table;
    const auto from = table.add("pieces", pieces_);
    const auto to = table.add("their pieces", theirs.pieces);
    const auto flags = table.add("arrivals", theirs.flags);
    std::vector<gpu::Put> puts;
    const std::uint64_t bytes = plan_.words * sizeof(std::uint32_t);
    for (std::uint16_t i = 0; i < plan_.puts; ++i)
      puts.push_back({.from = from,
                      .to = to,
                      .flags = flags,
                      .flag = i,
                      .bytes = bytes,
                      .from_offset = i * bytes,
                      .to_offset = i * bytes});
    list_.emplace(
        table, puts, stream_,
        gpu::PreparedPutsOptions{.started_by = plan_.blocks > 0 ? plan_.started_by : gpu::PutsStartedBy::program,
                                 .copies_of_each = plan_.copies_of_each,
                                 .ring = plan_.ring,
                                 .tells_sent = plan_.tells_sent});
  }
  /// How much was wrong.
  Task<std::uint32_t> send() {
    if (plan_.blocks > 0)
      stream_.launch({{plan_.blocks}, {1}},
                     SendPuts{list_->ring(), own_pieces(), own_flags(), plan_.rounds, plan_.first, failures_.data()});
    else
      stream_.launch({{1}, {1}},
                     SendPutsItself{list_->starts(), own_pieces(), own_flags(), plan_.rounds, failures_.data()});
    const std::uint32_t wrong = co_await failures();
    list_.reset();
    co_return wrong;
  }
  Task<std::uint32_t> receive() {
    stream_.launch({{1}, {1}},
                   ReceivePuts{own_pieces(), own_flags(), {read_.data()}, plan_.rounds, plan_.first, failures_.data()});
    co_return co_await failures();
  }

 private:
  PutPieces own_pieces() const { return {pieces_.data(), plan_.puts, plan_.words}; }
  gpu::FlagWord own_flags() const { return {flags_.data()}; }
  Task<std::uint32_t> failures() {
    gpu::Pinned<std::uint32_t> seen(1, stream_);
    stream_.copy(seen, failures_.span());
    co_await stream_.drained();
    co_return seen[0];
  }

  PutPlan plan_;
  gpu::Stream stream_;
  gpu::Buffer<std::uint32_t> pieces_, flags_, failures_;
  gpu::Span<std::uint32_t> read_;  // at the partner
  std::optional<gpu::PreparedPuts> list_;
};

/// Prepares the puts of the first PE to the last.
inline Task<> connect_puts(Group<PutNode> nodes, int last, PutPlan plan) {
  const PutOffer sender = co_await nodes[0].call<&PutNode::prepare>(plan);
  const PutOffer receiver = co_await nodes[last].call<&PutNode::prepare>(plan);
  co_await nodes[0].call<&PutNode::connect>(receiver, true);
  co_await nodes[last].call<&PutNode::connect>(sender, false);
}
/// The number of errors of both.
inline Task<std::uint32_t> send_puts(Group<PutNode> nodes, int last) {
  const auto [wrong_there, wrong_here] =
      co_await kaon::all(nodes[0].call<&PutNode::send>(), nodes[last].call<&PutNode::receive>());
  co_return wrong_there + wrong_here;
}
inline Task<std::uint32_t> exchange_puts(Group<PutNode> nodes, int last, PutPlan plan) {
  co_await connect_puts(nodes, last, plan);
  const std::uint32_t wrong = co_await send_puts(nodes, last);
  co_return wrong;
}

}  // namespace kaon::testing
