// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/fetched_engine.hpp"

#include <utility>

#include "kaon/gpu/device/follower_stream.hpp"
#include "kaon/gpu/engines/fetch.kernels.hpp"
#include "kaon/gpu/engines/fetched_transfers.hpp"
#include "kaon/gpu/engines/take_those.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {

FetchedEngine::FetchedEngine(Device& device, HostNotices& notices, const MemoryOfPayloads& memory,
                             std::size_t most_bytes)
    : Engine(device, Route::fetched),
      notices_(notices),
      memory_(memory),
      most_bytes_(most_bytes),
      streams_(device, StreamPriority::high) {}

FetchedEngine::~FetchedEngine() = default;

Ability FetchedEngine::ability(PeId to, const PayloadRecord& record) {
  if (record.bytes > most_bytes_) return kNotMeant;
  return notices_.can_reach(to, record) ? Ability{} : kNotMeant;
}

bool FetchedEngine::submit(const Passage& passage) { return start_either<FetchedSend, FetchedReceive>(*this, passage); }

// Of its notices a receiver that gives nothing back gets no more than are left for all others then. Of memory, a PE's
// share of a part of its device's: the rest is for what the PEs have themselves.
bool FetchedEngine::may_lend(PeId to, std::uint64_t bytes) {
  constexpr std::size_t kPart = 8;
  const std::size_t has = to < lent_to_.size() ? lent_to_[to] : 0;
  if (has + lent_count_ >= kMostSends) return false;
  const auto pes = static_cast<std::size_t>(device().pe().process().local_pes());
  return lent_bytes_ + bytes <= device().memory().pool().arena().settings().most_bytes / (kPart * pes);
}

void FetchedEngine::note_lent(PeId to, std::uint64_t bytes) {
  if (lent_to_.size() <= to) lent_to_.resize(to + 1);
  ++lent_to_[to];
  ++lent_count_;
  lent_bytes_ += bytes;
}

void FetchedEngine::note_back(PeId to, std::uint64_t bytes) {
  --lent_to_[to];
  --lent_count_;
  lent_bytes_ -= bytes;
}

void FetchedEngine::give_back(PeId to, std::uint32_t notice, Position last_use) noexcept {
  FetchedReturn::start(device(), notices_.board_of(to), notice, last_use);
}

void FetchedEngine::copy(PayloadRecord& record, const PayloadNotice& notice) {
  // In the order of the landing's stream, unless that may be no more.
  auto* const landing = memory_.block_of(record) == nullptr ? static_cast<StreamState*>(record.stream) : nullptr;
  const FollowerStream follower(device().streams(), {position_of(record)},
                                landing != nullptr && !landing->is_left() ? *landing : stream());
  StreamState& own = follower.state();
  device().order().wait(own, position_of(record));
  device().held().launch(own);
  launch(device().driver().backend(), own.native, fetch_grid(notice.bytes),
         FetchKernel{notices_.open(notice.slab, notice.offset), record.data, notice.bytes});
  record.stream = &own;
  record.position = ++own.submitted;
}

void FetchedEngine::forget(FetchedSend& send) noexcept {
  std::erase(unposted_, &send);
  std::erase(posted_, &send);
  std::erase(lent_, &send);
}

bool FetchedEngine::progress() {
  bool has_some = false;
  must_ask_ |= notices_.is_rung();
  must_ask_for_memory_ |= notices_.is_rung();
  if (++turns_ % kTurnsOfLent == 0 && std::exchange(must_ask_for_memory_, false))
    has_some = take_those(lent_, &FetchedSend::is_given_back, &FetchedSend::has_been_given_back);
  if (!std::exchange(must_ask_, false)) return has_some;
  has_some |= post_those(unposted_);
  has_some |= take_those(posted_, &FetchedSend::is_heard_of, &FetchedSend::has_been_heard_of);
  return take_those(unheard_, &FetchedReceive::finds_notice, &FetchedReceive::fetch) || has_some;
}

}  // namespace kaon::gpu
