// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/fetch.hpp"

#include <span>
#include <string>
#include <utility>

#include "kaon/ampi_shim/messages/receive_request.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {
namespace {

Landing landing_at(std::byte* memory, std::size_t bytes) {
  return memory != nullptr ? Landing::into(std::span(memory, bytes)) : Landing::pooled();
}

}  // namespace

const WaitKind Fetch::Arrival::kKind{
    [](const Waiter& self) { return static_cast<const Arrival&>(self).operation_.describe(); }, FetchWait::kIsCounted,
    FetchWait::kIsFromOutside};

Fetch::Arrival::Arrival(Fetch& fetch, PayloadRecord* record, const Landing& landing)
    : Waiter(kKind), fetch_(fetch), operation_(record, landing) {}

void Fetch::Arrival::await() {
  hold({}, nullptr);
  run = &resumed;
  if (!start(operation_)) fetch_.has_come();
}

void Fetch::Arrival::give_up() {
  if (!is_waiting()) return;
  operation_.give_up(*this);
  let_go();
}

void Fetch::Arrival::resumed(Work& work, Pe&) {
  auto& self = static_cast<Arrival&>(work);
  self.let_go();
  self.fetch_.has_come();
}

void Fetch::start(ReceiveRequest& receive, const Envelope& envelope, Payload<std::byte>&& data) {
  Pe& pe = receive.rank().scheduler();
  make<Fetch>(pe.activities(), pe.pool(), receive, envelope, std::move(data)).arrival_.await();
}

Fetch::Fetch(ReceiveRequest& receive, const Envelope& envelope, Payload<std::byte>&& data)
    : receive_(receive),
      envelope_(envelope),
      data_(std::move(data)),
      landing_(receive.landing_for(data_.size())),
      arrival_(*this, data_.record(), landing_at(landing_, data_.size())) {}

void Fetch::give_up() noexcept {
  arrival_.give_up();
  end();
}

void Fetch::has_come() {
  ReceiveRequest& receive = receive_;
  const Envelope envelope = envelope_;
  Payload<std::byte> data = std::move(data_);
  const bool has_landed = landing_ != nullptr;
  end();
  if (has_landed)
    receive.has_landed(envelope);
  else
    receive.has_come(envelope, std::move(data));
}

}  // namespace kaon::ampi
