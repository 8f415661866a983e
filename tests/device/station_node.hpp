// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/station.kernels.hpp"

namespace kaon::testing {

/// One a PE, in a ring: its station's entries send to the next one's station.
class StationNode : public Chare<StationNode> {
 public:
  struct Meeting {
    gpu::ResidentOffer offer;
    gpu::DeviceObject<Station> station;
    template <class Archive>
    void pup(Archive& archive) {
      archive(offer, station);
    }
  };

  Inbox<int> over;

  Task<int> begin(std::uint32_t parts, std::uint32_t ring) {
    stations_.emplace(gpu::ResidentOptions{.workers = 3, .threads = 64, .idle_us = 0, .ring = ring});
    station_ = co_await stations_->make_gang(parts, Station{});
    to_next_.emplace(co_await stations_->make_link());
    from_previous_.emplace(co_await stations_->make_link());
    co_return 1;
  }
  /// After begin() of all.
  Task<int> connect() {
    const Meeting mine{to_next_->offer(), station_};
    const Meeting met = co_await next().call<&StationNode::meet>(mine);
    const gpu::ResidentPeer peer = co_await stations_->connect(*to_next_, met.offer);
    const auto over_here =
        stations_->on_host<std::uint32_t>([element = self()](std::uint32_t) { element.send<&StationNode::over>(1); });
    const gpu::DeviceObject<Station> far = peer.object(met.station);
    co_await stations_->call(station_, MeetStation{far, over_here});
    co_return 1;
  }
  Task<Meeting> meet(Meeting previous) {
    (void)co_await stations_->connect(*from_previous_, previous.offer);
    const Meeting mine{from_previous_->offer(), station_};
    co_return mine;
  }

  /// A visit of all stations, `rounds` times, which ends here.
  Task<> travel(std::uint32_t rounds) {
    stations_->send(station_, Visit{rounds * static_cast<std::uint32_t>(array().shape().x)});
    (void)co_await over.next();
  }
  /// Nobody waits for these.
  void send_visits(std::uint32_t stops) { stations_->send(station_, Visit{stops}); }
  void stay(std::uint32_t times) { stations_->send(station_, VisitAndStay{times - 1}); }
  void send_numbers(std::uint32_t count, std::uint32_t burst) {
    stations_->send(station_, SendNumbers{1, count, burst});
  }
  Task<StationFacts> facts() { co_return co_await stations_->call(station_, ReadStation{}); }
  void leave() { stations_.reset(); }

 private:
  Element<StationNode> next() { return array()[(index().x + 1) % array().shape().x]; }

  std::optional<gpu::Resident<StationEntries>> stations_;
  gpu::DeviceObject<Station> station_;
  std::optional<gpu::ResidentLink> to_next_, from_previous_;
};

/// True if visits and numbers come as they should, along stations of gangs of `parts` with rings of `ring` places.
inline Task<bool> visit_stations(Runtime& runtime, std::uint32_t parts, std::uint32_t ring) {
  constexpr std::uint32_t kRounds = 20, kNumbers = 500, kBurst = 40, kStays = 15;
  const auto nodes = co_await runtime.create_group<StationNode>();
  const auto pes = static_cast<std::uint32_t>(runtime.pes());
  (void)co_await nodes.call_all<&StationNode::begin>(sum, parts, ring);
  (void)co_await nodes.call_all<&StationNode::connect>(sum);
  co_await nodes[0].call<&StationNode::travel>(kRounds);
  nodes.broadcast<&StationNode::send_numbers>(kNumbers, kBurst);
  nodes[0].send<&StationNode::send_visits>(pes * kRounds - 1);
  co_await runtime.quiescence();
  std::uint32_t before = 0, after = 0;
  for (std::uint32_t i = 0; i < pes; ++i)
    before += (co_await nodes[static_cast<int>(i)].call<&StationNode::facts>()).visits;
  nodes[0].send<&StationNode::stay>(kStays);
  co_await runtime.quiescence();
  for (std::uint32_t i = 0; i < pes; ++i)
    after += (co_await nodes[static_cast<int>(i)].call<&StationNode::facts>()).visits;
  bool is_right = before == 2 * kRounds * pes + 1 && after - before == kStays * 41;
  for (std::uint32_t i = 0; i < pes; ++i) {
    const StationFacts facts = co_await nodes[static_cast<int>(i)].call<&StationNode::facts>();
    is_right = is_right && facts.last == kNumbers && facts.wrong == 0;
  }
  co_return is_right;
}

}  // namespace kaon::testing
