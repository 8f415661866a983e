// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/transfer.hpp"

#include <utility>

#include "kaon/gpu/device/clock.hpp"
#include "kaon/gpu/device/raise_behind.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {

Transfer::Transfer(Engine& engine, const Passage& passage) : engine_(engine), passage_(passage) { ++engine_.moving_; }

Transfer::~Transfer() {
  device().stream_watcher().forget(*this);
  end_counting();
}

void Transfer::end_counting() {
  if (std::exchange(is_counted_, false)) --engine_.moving_;
}

Port* Transfer::port() const { return device().pe().exchange().port(); }

bool Transfer::give_to_port(const PayloadMemory& memory, Work& done) const {
  return way() == Way::out ? port()->send_payload(other(), passage_.counter, memory, done)
                           : port()->receive_payload(other(), passage_.counter, memory, done);
}

void Transfer::begin_time() { since_ns_ = now_ns(); }
double Transfer::seconds() const { return seconds_since(since_ns_); }

void Transfer::count_sent() const {
  device().pe().exchange().transfers().add(engine_.number(), record().bytes, seconds());
}

void Transfer::note_arrived(Position behind) const {
  PayloadRecord& payload = record();
  payload.stream = behind.stream;
  payload.position = behind.count;
  if (payload.owner != nullptr) payload.owner->arrived(payload);
  payload.route = Route::direct;  // what it came by says nothing of how it goes on: see Engines::choose()
  const auto* region = static_cast<const Region*>(payload.region);
  if (region != nullptr && region->arena == nullptr)
    payload.region = nullptr;  // a registration may end before the payload
  ArrivalFlag* const flag = std::exchange(payload.flag, nullptr);
  if (flag != nullptr) RaiseBehind::start(device(), behind, *flag);
}

void Transfer::end_and_tell() {
  Pe& pe = device().pe();
  Work& done = passage_.done;
  end();
  done.run(done, pe);
}

}  // namespace kaon::gpu
