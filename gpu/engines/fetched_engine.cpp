// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/fetched_engine.hpp"

#include "kaon/gpu/device/gathered_launch.hpp"
#include "kaon/gpu/engines/fetch.kernels.hpp"
#include "kaon/gpu/engines/fetched_transfers.hpp"
#include "kaon/gpu/engines/take_those.hpp"

namespace kaon::gpu {

FetchedEngine::FetchedEngine(Device& device, HostNotices& notices, std::size_t most_bytes)
    : Engine(device, Route::fetched),
      notices_(notices),
      most_bytes_(most_bytes),
      streams_(device, StreamPriority::high) {}

FetchedEngine::~FetchedEngine() = default;

Ability FetchedEngine::ability(PeId to, const PayloadRecord& record) {
  if (record.bytes > most_bytes_ || !has_room_behind(0)) return kNotMeant;
  return notices_.can_reach(to, record) ? Ability{} : kNotMeant;
}

bool FetchedEngine::submit(const Passage& passage) {
  if (passage.way == Way::out)
    FetchedSend::start(*this, passage);
  else
    FetchedReceive::start(*this, passage);
  return false;
}

Position FetchedEngine::copy(std::byte* to, const PayloadNotice& notice) {
  StreamState& stream = streams_.of(Way::in);
  const Grid grid = fetch_grid(notice.bytes);
  auto& gathered = GatheredLaunch<FetchKernel>::with_room(device(), stream, grid);
  gathered.add(grid, {notices_.open(notice.slab, notice.offset), to, notice.bytes});
  ++stream.submitted;
  if (gathered.is_full()) device().launch_held(stream);
  return {&stream, stream.submitted};
}

void FetchedEngine::forget(FetchedSend& send) noexcept {
  std::erase(unposted_, &send);
  std::erase(posted_, &send);
}

bool FetchedEngine::progress() {
  if (!must_look()) return false;
  bool has_some = post_notices();
  has_some |= take_those(posted_, &FetchedSend::is_fetched, &FetchedSend::has_been_fetched);
  if (!take_those(unheard_, &FetchedReceive::finds_notice, &FetchedReceive::fetch)) return has_some;
  device().launch_held(streams_.of(Way::in));  // who waits for them has waited long enough
  return true;
}

bool FetchedEngine::post_notices() {
  bool has_some = false;
  while (!unposted_.empty() && unposted_.front()->post()) {
    unposted_.pop_front();
    has_some = true;
  }
  return has_some;
}

}  // namespace kaon::gpu
