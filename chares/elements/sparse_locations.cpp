// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/sparse_locations.hpp"

#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {

PeId SparseLocations::home(std::uint64_t element) const {
  if (of_singles_) return home_of_single(element);
  if (type_.place != nullptr) return type_.place(element, Shape::sparse(), pes_);
  // The mixing of splitmix64: neighbours by number get homes that have nothing to do with each other.
  std::uint64_t mixed = element + 0x9e3779b97f4a7c15;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  return static_cast<PeId>((mixed ^ mixed >> 31) % pes_);
}

PeId SparseLocations::home_of_single(std::uint64_t number) const {
  const std::uint64_t pe = number >> kCountBits;
  if (pe >= pes_) throw CorruptMessage("a chare is named that was made on a PE that does not exist");
  return static_cast<PeId>(pe);
}

// --- at home

std::optional<PeId> SparseLocations::elsewhere(std::uint64_t element) const {
  const auto now = homed_.find(element);
  if (!now || now->pe == here_) return {};
  return now->pe;
}

std::optional<PeId> SparseLocations::known(std::uint64_t element) const {
  const auto now = homed_.find(element);
  if (!now) return {};
  return now->pe;
}

void SparseLocations::inserted(std::uint64_t element, PeId pe) { homed_.set(element, {pe, 0}); }

bool SparseLocations::is_ending(std::uint64_t element) const {
  const auto late = late_.find(element);
  return late && late->has_ended != 0;
}

// Of news that overtook each other the latest holds, and how many are missing before it is kept.
void SparseLocations::moved(std::uint64_t element, Whereabouts now) {
  const auto known = homed_.find(element);
  const std::uint32_t before = known ? known->moves : 0;
  if (now.moves <= before || is_ending(element)) return note_late(element, -1);
  homed_.set(element, now);
  if (now.moves != before + 1) note_late(element, static_cast<std::int32_t>(now.moves - before - 1));
}

bool SparseLocations::ended(std::uint64_t element, std::uint32_t moves) {
  const auto known = homed_.find(element);
  const std::uint32_t before = known ? known->moves : 0;
  homed_.erase(element);
  if (moves == before && late_.empty()) return true;
  Late late = late_.find(element).value_or(Late{});
  late.missing += static_cast<std::int32_t>(moves - before);
  late.has_ended = 1;
  if (late.missing == 0) return late_.erase(element), true;
  late_.set(element, late);
  return false;
}

void SparseLocations::note_late(std::uint64_t element, std::int32_t more) {
  Late late = late_.find(element).value_or(Late{});
  late.missing += more;
  if (late.missing != 0)
    late_.set(element, late);
  else
    late_.erase(element);
}

// --- where the element is

std::uint32_t SparseLocations::moves(std::uint64_t element) const {
  if (const auto moves = here_moves_.find(element)) return static_cast<std::uint32_t>(*moves);
  const auto known = homed_.find(element);
  return known ? known->moves : 0;
}

void SparseLocations::arrived(std::uint64_t element, std::uint32_t moves) {
  here_moves_.set(element, moves);
  hints_.erase(element);
}

// --- elsewhere

PeId SparseLocations::guess(std::uint64_t element) const {
  if (const auto hint = hints_.find(element)) return static_cast<PeId>(*hint);
  const PeId at_home = home(element);
  return at_home == here_ ? elsewhere(element).value_or(here_) : at_home;
}

void SparseLocations::hint(std::uint64_t element, PeId pe) {
  if (hints_.size() >= kMostHints) hints_ = {};
  if (pe != here_) hints_.set(element, pe);
}

}  // namespace kaon::chares
