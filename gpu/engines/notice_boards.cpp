// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/notice_boards.hpp"

#include <utility>

namespace kaon::gpu {
namespace {

constexpr SharedPurpose kBoards{"kaon-notices",
                                "to tell of payloads in",
                                "in which another process of this host tells of payloads",
                                "carry and fetch none: KAON_CARRY_UP_TO=0 KAON_FETCH_UP_TO=0",
                                "carry and fetch none: KAON_CARRY_UP_TO=0 KAON_FETCH_UP_TO=0",
                                false};

}  // namespace

SharedMapping& NoticeBoards::own_memory() {
  if (own_ == nullptr) own_ = std::make_unique<SharedMapping>(driver_, kBoards, bytes());
  return *own_;
}

SharedMapping::Address NoticeBoards::address() {
  const std::lock_guard hold(lock_);
  return own_memory().address();
}

void NoticeBoards::meet(AddressOf address_of) {
  const std::lock_guard hold(lock_);
  address_of_ = std::move(address_of);
}

NoticeBoard NoticeBoards::own(PeId local_index) {
  const std::lock_guard hold(lock_);
  return NoticeBoard(own_memory().data() + local_index * NoticeBoard::kBytes);
}

NoticeBoard NoticeBoards::of(int process, PeId local_index) {
  const std::lock_guard hold(lock_);
  auto known = opened_.find(process);
  if (known == opened_.end())
    known = opened_.try_emplace(process, driver_, kBoards, bytes(), address_of_(process)).first;
  return NoticeBoard(known->second.data() + local_index * NoticeBoard::kBytes);
}

}  // namespace kaon::gpu
