// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/sending/parcels.hpp"

#include <exception>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {

Parcels& ParcelsOfTable::make(const EntryRecord& record) {
  return *parcels_.emplace_back(std::make_unique<Parcels>(table_.pe(), table_.id(), record));
}

Parcels::Parcels(Pe& pe, CollectionId collection, const EntryRecord& record)
    : pe_(pe), collection_(collection), record_(record), grid_(pe.process().roster(), pe.id()), lanes_(grid_.lanes()) {
  run = [](Work& self, Pe&) { static_cast<Parcels&>(self).send_all(); };
  for (std::uint32_t lane = 0; lane < grid_.lanes(); ++lane) lanes_[lane].hop = grid_.hop(lane);
}

std::pair<std::byte*, std::size_t> Parcels::rest(PeId to) {
  Lane& lane = lanes_[grid_.lane(to)];
  if (lane.used == kParcelBytes) begin(lane);
  return {lane.bytes.data() + lane.used, kParcelBytes - lane.used};
}

// What it holds, if anything, leaves.
void Parcels::begin(Lane& lane) {
  if (!lane.bytes.empty()) {
    send(lane);  // and stays among those that are open
  } else {
    open_.push_back(&lane);
    if (!std::exchange(is_held_, true)) pe_.held_sends().add(*this);
  }
  pe_.count_made();
  lane.bytes.resize(kParcelBytes);
  lane.used = kFirstItem;
  constexpr std::uint32_t kPlace = kFirstItem;
  std::memcpy(lane.bytes.data(), &kPlace, sizeof kPlace);
}

void Parcels::send(Lane& lane) {
  lane.bytes.resize(lane.used);
  lane.used = kParcelBytes;
  Message& parcel = Functions::make(pe_.pool(), record_, std::exchange(lane.bytes, {}));
  parcel.collection = collection_;
  parcel.source = pe_.id();
  try {
    pe_.route(parcel, lane.hop);
    pe_.count_done();  // as it was counted when it was begun as well
  } catch (...) {      // who sends now is not who has sent all that is lost
    pe_.fail(std::current_exception(), describe_running(pe_));
  }
}

void Parcels::send_all() {
  is_held_ = false;
  for (Lane* const lane : open_)
    if (!lane->bytes.empty()) send(*lane);
  open_.clear();
}

ParcelReader::ParcelReader(ParcelBytes& bytes) : bytes_(bytes), end_(bytes.data() + bytes.size()) {
  std::uint32_t place = 0;
  if (bytes.size() < sizeof place) throw_cut_off();
  std::memcpy(&place, bytes.data(), sizeof place);
  if (place < Parcels::kFirstItem || place > bytes.size()) throw_cut_off();
  at_ = bytes.data() + place;
}

void ParcelReader::throw_cut_off() { throw CorruptMessage("a parcel of messages ends in the middle of one"); }

}  // namespace kaon::chares
