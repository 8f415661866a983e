// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/remote.hpp"

#include <string_view>
#include <tuple>
#include <utility>

#include "kaon/ampi_shim/messages/messages.hpp"
#include "kaon/ampi_shim/messages/send_request.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"

namespace kaon::ampi {
namespace message_handlers {  // not unnamed: entries are told apart by their names

void matched(Pe&, std::uint64_t send) { reinterpret_cast<SendRequest*>(send)->part_has_ended(); }

}  // namespace message_handlers

namespace {

Rank& rank_of(const Envelope& envelope, Pe& pe) {
  auto* table = static_cast<ElementTable*>(pe.collections().find(envelope.ranks));
  ElementBase* element = table != nullptr ? table->find(static_cast<std::uint64_t>(envelope.to)) : nullptr;
  if (element == nullptr) throw CorruptMessage("a message came for a rank that is not here");
  return *static_cast<Rank*>(element);
}

}  // namespace

/// The entry that brings a message to the PE of its rank. Its data, when they travel apart, stay with the sender.
class RankMessage {
  using Functions = MessageFunctions<Envelope, Payload<std::byte>>;

 public:
  static void send(Pe& pe, PeId to, const Envelope& envelope, Payload<std::byte>&& data) {
    pe.route(Functions::make(pe.pool(), *listed_, envelope, std::move(data)), to);
  }

 private:
  static void post(Message& message, Pe&) {
    PayloadRecord* const record = std::get<1>(static_cast<Functions::Typed&>(message).arguments).record();
    if (record != nullptr && record->bytes > 0 && record->data == nullptr) record->state = PayloadState::deferred;
  }

  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Functions::Typed&>(work);
    pe.note_running(message);
    auto& [envelope, data] = message.arguments;
    const Envelope copy = envelope;
    Payload<std::byte> owned = std::move(data);
    Functions::destroy(message, pe.pool());
    rank_of(copy, pe).part<Messages>().arrive(copy, std::move(owned));
    pe.count_done();
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::record(name(), &invoke, nullptr, &post);
  static inline const EntryRecord* const listed_ = enlist(record_);
};

void send_to_other_pe(Rank& rank, const Envelope& envelope, Payload<std::byte>&& data) {
  RankMessage::send(rank.scheduler(), rank.pe_of(envelope.to), envelope, std::move(data));
}

void tell_matched(Rank& rank, const Envelope& envelope) {
  using Matched = RemoteProcedure<&message_handlers::matched, Counting::counted>;
  Matched::send(rank.scheduler(), rank.pe_of(envelope.from), envelope.waiting_send);
}

}  // namespace kaon::ampi
