// SPDX-License-Identifier: Apache-2.0
#include "kaon/testing/loopback.hpp"

#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "kaon/testing/loopback_port.hpp"

namespace kaon::testing {

LoopbackNetwork::~LoopbackNetwork() = default;

std::unique_ptr<Port> LoopbackNetwork::open_port(PeId pe, PortClient& client) {
  auto port = std::make_unique<LoopbackPort>(*this, pe, client);
  if (pe >= ports_.size()) ports_.resize(pe + 1);
  ports_[pe] = port.get();
  return port;
}

void LoopbackNetwork::close_port(PeId pe) {
  LoopbackPort& closing = *ports_[pe];
  std::erase_if(pending_, [&](const Parcel& parcel) {
    if (parcel.from == pe && parcel.done != nullptr) closing.send_completed(*parcel.done);
    return parcel.from == pe;
  });
  ports_[pe] = nullptr;
}

bool LoopbackNetwork::send(Parcel parcel) {
  if (copies_at_once_) {
    const auto& copy = copies_.emplace_back(parcel.bytes.begin(), parcel.bytes.end());
    parcel.bytes = copy;
    parcel.done = nullptr;
  }
  pending_.push_back(parcel);
  return parcel.done == nullptr;
}

void LoopbackNetwork::deliver(std::size_t index) {
  if (index >= pending_.size()) throw std::out_of_range("the loopback network holds no such parcel");
  const Parcel parcel = pending_[index];
  pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(index));
  if (LoopbackPort* to = port(parcel.to)) {  // else it is lost, as with a process that has ended
    if (parcel.kind == Kind::payload)
      to->payload_delivered({parcel.from, parcel.counter, parcel.epoch}, parcel.bytes);
    else
      to->batch_delivered(parcel.kind == Kind::data ? Lane::data : Lane::control,
                          {parcel.bytes.begin(), parcel.bytes.end()});
  }
  if (parcel.done != nullptr)
    port(parcel.from)->send_completed(*parcel.done);
  else
    std::erase_if(copies_, [&](const auto& copy) { return copy.data() == parcel.bytes.data(); });
}

bool LoopbackNetwork::deliver_next() {
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    if (is_held(pending_[i])) continue;
    deliver(i);
    return true;
  }
  return false;
}

bool LoopbackNetwork::deliver_random(std::mt19937_64& random, Order order) {
  std::vector<std::size_t> candidates;
  std::set<std::tuple<PeId, PeId, Kind, std::uint32_t>> seen;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Parcel& parcel = pending_[i];
    const bool is_first = seen.emplace(parcel.from, parcel.to, parcel.kind, parcel.counter).second;
    if ((is_first || order == Order::any) && !is_held(parcel)) candidates.push_back(i);
  }
  if (candidates.empty()) return false;
  deliver(candidates[random() % candidates.size()]);
  return true;
}

void LoopbackNetwork::inject(PeId to, Lane lane, std::span<const std::byte> bytes) {
  if (LoopbackPort* receiver = port(to)) receiver->batch_delivered(lane, {bytes.begin(), bytes.end()});
}

void LoopbackNetwork::inject_payload(PeId to, PeId from, std::uint32_t counter, std::span<const std::byte> bytes) {
  if (LoopbackPort* receiver = port(to)) receiver->payload_delivered({from, counter, receiver->epoch()}, bytes);
}

}  // namespace kaon::testing
