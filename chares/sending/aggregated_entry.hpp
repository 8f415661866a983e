// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/entries/entry.hpp"
#include "kaon/chares/sending/ordered_entry.hpp"
#include "kaon/chares/sending/parcels.hpp"
#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/item_turns.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

/// The messages of an entry that its class names in `aggregated`: to elements on other PEs they travel in parcels, and
/// where they arrive the entry is run on the bytes as they lie there, without a message for each. What cannot be run so
/// (its element is not there, the entry is a coroutine or an Inbox) is made a message again and treated as any other.
/// `Own` is the entry that these messages have where each travels alone.
template <auto E, class C, class Own>
class AggregatedEntry {
  using Traits = EntryTraits<decltype(E)>;
  using Arguments = typename Own::Arguments;
  using Functions = Parcels::Functions;

 public:
  /// To an element that is thought to be on PE `to`, another one. What is larger than a parcel goes on its own.
  static void send(ElementTable& table, PeId to, std::uint64_t element, Arguments arguments) {
    static_assert(!has_payloads(std::type_identity<Arguments>{}),
                  "kaon::Entries: messages with a kaon::Payload are not aggregated: it travels on its own anyway");
    static_assert(
        Traits::is_inbox || !has_post_rule<E, C>,
        "kaon::Entries: an entry with a post rule is not aggregated: its payloads travel on their own anyway");
    Parcels& parcels = parcels_of(table);
    const ParcelItem item{element, to, table.pe().id()};
    if constexpr (Own::kHasTurns) std::get<0>(arguments) = next_stamp(table.pe(), table.id(), element);
    if constexpr (kIsFixed) {
      std::byte* const at = parcels.room(to, sizeof item + kBytes);
      std::memcpy(at, &item, sizeof item);
      place(at + sizeof item, arguments);
    } else if (Message* const alone = place_or_make(parcels, item, table, arguments)) {
      table.pe().route(*alone, to);
    }
  }

 private:
  template <class... T>
  static constexpr bool has_payloads(std::type_identity<std::tuple<T...>>) {
    return (archive::is_payload<T> || ...);
  }
  template <class... T>
  static constexpr std::size_t fixed_bytes(std::type_identity<std::tuple<T...>>) {
    return (archive::has_fixed_size<T> && ...) ? (archive::fixed_size<T> + ... + 0) : 0;
  }
  /// The size of the arguments in bytes, if their types fix it and it fits a parcel; else 0.
  static constexpr std::size_t kBytes = [] {
    constexpr std::size_t kAll = fixed_bytes(std::type_identity<Arguments>{});
    return kAll + sizeof(ParcelItem) <= Parcels::kMostItemBytes ? kAll : 0;
  }();
  static constexpr bool kIsFixed = kBytes > 0 || std::tuple_size_v<Arguments> == 0;
  static void place(std::byte* at, const Arguments& arguments) {
    std::apply([at](const auto&... values) mutable { ((at = archive::place(at, values)), ...); }, arguments);
  }

  /// A message for what is too large. What can be neither packed nor moved leaves its turn to those behind it.
  static Message* place_or_make(Parcels& parcels, const ParcelItem& item, ElementTable& table, Arguments& arguments) {
    try {
      return send_of_any_size(parcels, item, arguments) ? nullptr : &make_message(item, table, arguments);
    } catch (...) {
      if constexpr (Own::kHasTurns) SkippedTurn<C>::send(table.pe(), table.id(), item.element, std::get<0>(arguments));
      throw;
    }
  }

  /// False: it is too large, and was not sent.
  static bool send_of_any_size(Parcels& parcels, const ParcelItem& item, const Arguments& arguments) {
    constexpr std::size_t kBefore = sizeof item + sizeof(std::uint32_t);
    for (int attempt = 0; attempt < 2; ++attempt) {
      const auto [at, room] = parcels.rest(item.to);
      if (room > kBefore) {
        Writer out(at + kBefore, room - kBefore);
        std::apply([&](const auto&... values) { archive::pack_arguments(out, values...); }, arguments);
        if (out.fits()) {
          const auto bytes = static_cast<std::uint32_t>(out.bytes());
          std::memcpy(at, &item, sizeof item);
          std::memcpy(at + sizeof item, &bytes, sizeof bytes);
          parcels.take(item.to, kBefore + bytes);
          return true;
        }
        if (kBefore + out.bytes() > Parcels::kMostItemBytes) return false;
      }
      parcels.begin_another(item.to);
    }
    return false;
  }

  static Parcels& parcels_of(ElementTable& table) { return table.part<ParcelsOfTable>().of(*listed_); }

  static Message& make_message(const ParcelItem& item, ElementTable& table, Arguments& arguments) {
    Message& message = std::apply(
        [&](auto&... values) -> Message& { return Own::remake(table.pe(), std::move(values)...); }, arguments);
    message.collection = table.id();
    message.element = item.element;
    message.source = item.source;
    return message;
  }

  static std::size_t bytes_of_next(ParcelReader& in) {
    if constexpr (kIsFixed)
      return kBytes;
    else
      return in.take<std::uint32_t>();
  }

  static void invoke(Work& work, Pe& pe) {
    auto& parcel = static_cast<Parcels::Parcel&>(work);
    ElementTable* const table = table_to_run_on(parcel, pe);
    if (table == nullptr) return;
    struct Release {  // also when an entry throws
      Parcels::Parcel* parcel;
      Pe& pe;
      ~Release() {
        if (parcel != nullptr) Functions::destroy(*parcel, pe.pool());
      }
    } release{&parcel, pe};
    ParcelReader in(std::get<0>(parcel.arguments));
    if (!run_items(in, *table, pe)) {
      in.leave_off();
      release.parcel = nullptr;
      return pe.enqueue(parcel);
    }
    pe.count_done();
  }

  /// False: something else has its turn before the rest.
  static bool run_items(ParcelReader& in, ElementTable& table, Pe& pe) {
    Parcels& parcels = parcels_of(table);
    ItemTurns turns(pe, parcels.pace);
    pe.note_kind(Own::record().id);
    while (!in.is_at_end()) {
      const auto item = in.take<ParcelItem>();
      const std::size_t bytes = bytes_of_next(in);
      take_item(item, in.take(bytes), bytes, table, pe);
      // who moves or ends does so before what is sent to him next
      if (turns.end_one() || table.departures().has_leaving()) break;
    }
    turns.end();
    return in.is_at_end();
  }

  static void take_item(const ParcelItem& item, const std::byte* at, std::size_t bytes, ElementTable& table, Pe& pe) {
    if (item.to != pe.id()) return pass_on(item, at, bytes, table);
    if constexpr (Own::kRunsAtOnce) {
      if (ElementBase* const element = table.find(item.element)) [[likely]] {
        pe.running().note_running(Own::record(), item.element, table.id(), item.source);
        return Own::run_unpacked(*element, read(at, bytes), pe);
      }
    }
    Arguments arguments = read(at, bytes);
    Message& message = make_message(item, table, arguments);
    pe.count_made();
    message.run(message, pe);
  }

  static Arguments read(const std::byte* at, std::size_t bytes) {
    Arguments arguments;
    if constexpr (kIsFixed) {
      std::apply([at](auto&... values) mutable { ((at = archive::fetch(at, values)), ...); }, arguments);
    } else {
      Reader in(at, bytes);
      std::apply([&](auto&... values) { archive::unpack_arguments(in, values...); }, arguments);
      if (in.remaining() != 0) throw CorruptMessage("the arguments do not fill their place in a parcel");
    }
    return arguments;
  }

  /// On its way to another PE.
  static void pass_on(const ParcelItem& item, const std::byte* at, std::size_t bytes, ElementTable& table) {
    Parcels& parcels = parcels_of(table);
    if (item.to >= parcels.pes() || item.source >= parcels.pes())
      throw CorruptMessage("a message in a parcel is for a PE that does not exist");
    constexpr std::size_t kBefore = sizeof item + (kIsFixed ? 0 : sizeof(std::uint32_t));
    if (kBefore + bytes > Parcels::kMostItemBytes) throw CorruptMessage("a message in a parcel is larger than it");
    std::byte* const to = parcels.room(item.to, kBefore + bytes);
    std::memcpy(to, &item, sizeof item);
    if constexpr (!kIsFixed) {
      const auto size = static_cast<std::uint32_t>(bytes);
      std::memcpy(to + sizeof item, &size, sizeof size);
    }
    std::memcpy(to + kBefore, at, bytes);
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ =
      Functions::template record<AggregatedEntry>(name(), &invoke, &element_family<C>());
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
