// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/shared_staging.hpp"

#include <algorithm>
#include <utility>

#include "kaon/gpu/engines/shared_receive.hpp"
#include "kaon/gpu/engines/shared_send.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {

SharedStaging::SharedStaging(Device& device, bool is_refused)
    : Engine(device, Route::staged_in_memory), is_refused_(is_refused), streams_(device) {}

SharedStaging::~SharedStaging() = default;

Ability SharedStaging::ability(PeId to, const PayloadRecord&) {
  if (is_refused_) return {"KAON_TESTING=stage_through=network was asked for"};
  Pe& pe = device().pe();
  const Roster& roster = pe.process().roster();
  if (roster.host_of(pe.id()) != roster.host_of(to)) return {"its receiver is on another host"};
  return {};
}

bool SharedStaging::submit(const Passage& passage) { return start_either<SharedSend, SharedReceive>(*this, passage); }

SharedPieces& SharedStaging::own() {
  if (own_ == nullptr) own_ = std::make_unique<SharedPieces>(device().driver());
  return *own_;
}

SharedPieces& SharedStaging::of(SharedPieces::Address address) {
  const auto found =
      std::find_if(opened_.begin(), opened_.end(), [&](auto& pieces) { return pieces->address() == address; });
  if (found != opened_.end()) return **found;
  return *opened_.emplace_back(std::make_unique<SharedPieces>(device().driver(), address));
}

void SharedStaging::want(SharedReceive& receive) {
  if (!receive.ask()) unheard_.push_back(&receive);
}

void SharedStaging::forget(SharedSend& send) noexcept {
  std::erase_if(unwanted_, [&](const auto& entry) { return entry.second == &send; });
  std::erase(short_, &send);
}

void SharedStaging::forget(SharedReceive& receive) noexcept { std::erase(unheard_, &receive); }

bool SharedStaging::progress() {
  if (!must_look()) return false;
  const bool has_wanted = take_wanted();
  const bool has_served = serve_waiting();
  return ask_again() || has_wanted || has_served;
}

bool SharedStaging::take_wanted() {
  return !unwanted_.empty() && own_->each_wanted([&](std::uint64_t number) {
    const auto found = unwanted_.find(number);
    if (found == unwanted_.end()) return;  // of a receiver that asks for what does not wait
    SharedSend& send = *found->second;
    unwanted_.erase(found);
    send.is_wanted();
  });
}

// Each takes what it can use at once, and comes again behind the others.
bool SharedStaging::serve_waiting() {
  bool has_served = false;
  for (std::size_t turn = short_.size(); turn > 0 && own_->has_free(); --turn) {
    SharedSend& send = *short_.front();
    short_.pop_front();
    send.has_piece();
    has_served = true;
  }
  return has_served;
}

bool SharedStaging::ask_again() {
  const auto heard = [](SharedReceive* receive) { return receive->ask(); };
  return std::erase_if(unheard_, heard) > 0;
}

}  // namespace kaon::gpu
