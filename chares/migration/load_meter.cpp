// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/load_meter.hpp"

namespace kaon::chares {
namespace {

constexpr std::uint64_t kFree = ~std::uint64_t{0};  // no element's number

std::size_t hash_of(std::uint64_t from, std::uint64_t to) {
  std::uint64_t mixed = (from * 0x9e3779b97f4a7c15u) ^ (to * 0xc2b2ae3d27d4eb4fu);
  mixed ^= mixed >> 32;
  return static_cast<std::size_t>(mixed * 0x9e3779b97f4a7c15u >> 20);
}

}  // namespace

void TrafficTable::add(std::uint64_t from, std::uint64_t to, double bytes, double messages) {
  if (3 * (used_ + 1) > 2 * places_.size()) grow();
  Traffic& place = place_of(from, to);
  if (place.from == kFree) {
    place = {from, to, 0, 0};
    ++used_;
  }
  place.bytes += bytes;
  place.messages += messages;
}

Traffic& TrafficTable::place_of(std::uint64_t from, std::uint64_t to) {
  const std::size_t mask = places_.size() - 1;
  std::size_t at = hash_of(from, to) & mask;
  while (places_[at].from != kFree && (places_[at].from != from || places_[at].to != to)) at = (at + 1) & mask;
  return places_[at];
}

void TrafficTable::grow() {
  const std::vector<Traffic> before = std::exchange(places_, {});
  places_.assign(before.empty() ? 64 : 2 * before.size(), Traffic{kFree, 0, 0, 0});
  for (const Traffic& each : before)
    if (each.from != kFree) place_of(each.from, each.to) = each;
}

std::vector<Traffic> TrafficTable::list() const {
  std::vector<Traffic> listed;
  listed.reserve(used_);
  for (const Traffic& each : places_)
    if (each.from != kFree) listed.push_back(each);
  return listed;
}

}  // namespace kaon::chares
