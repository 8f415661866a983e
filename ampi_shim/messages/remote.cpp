// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/remote.hpp"

#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "kaon/ampi_shim/messages/departures.hpp"
#include "kaon/ampi_shim/messages/messages.hpp"
#include "kaon/ampi_shim/messages/send_request.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"

namespace kaon::ampi {
namespace {

/// The receiver of an envelope or a recall.
template <class Letter>
Rank& rank_of(const Letter& letter, Pe& pe) {
  return rank_here(pe, letter.ranks, letter.to);
}

}  // namespace

namespace message_handlers {  // not unnamed: entries are told apart by their names

void matched(Pe& pe, ReplyTo send) { SendRequest::is_matched(pe, send); }
void recall(Pe& pe, Recall wanted) { rank_of(wanted, pe).part<Messages>().give_back(wanted); }
void recalled(Pe& pe, ReplyTo send, bool has_gone) { SendRequest::is_recalled(pe, send, has_gone); }

}  // namespace message_handlers

/// The entry that brings a message to the PE of its rank. Its data, when they travel apart, stay with the sender. What
/// a sender lends within its process is not counted among what waits for a slow PE.
template <bool kIsLent>
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
    note_running(pe, message);
    auto& [envelope, data] = message.arguments;
    const Envelope copy = envelope;
    Payload<std::byte> owned = std::move(data);
    Functions::destroy(message, pe.pool());
    rank_of(copy, pe).template part<Messages>().arrive(copy, std::move(owned));
    pe.count_done();
  }

  static std::size_t nothing_held(const Message&) { return 0; }
  static constexpr EntryRecord make_record() {
    EntryRecord made = Functions::record(name(), &invoke, nullptr, &post);
    if (kIsLent) made.bytes_held = &nothing_held;
    return made;
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline constinit EntryRecord record_ = make_record();
  static inline const EntryRecord* const listed_ = enlist(record_);
};

/// As above, with its data inside: one copy of plain memory, in a process and to another. Of the sizes the smallest
/// fills two lines of a cache with what is in front, the largest is the most that Kaon sends without being told how.
template <std::size_t kBytes>
class InlineMessage {
  using Data = std::array<std::byte, kBytes>;
  using Functions = MessageFunctions<Envelope, Data>;

 public:
  static void send(Pe& pe, PeId to, const Envelope& envelope, const Outgoing& data) {
    auto& message = Functions::make(pe.pool(), *listed_, envelope, Data{});
    data.pack(std::get<1>(message.arguments).data());
    pe.route(message, to);
  }

 private:
  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Functions::Typed&>(work);
    note_running(pe, message);
    const auto& [envelope, data] = message.arguments;
    if (envelope.bytes > kBytes) throw CorruptMessage("a message has fewer bytes than it says");
    rank_of(envelope, pe).template part<Messages>().arrive(envelope, data.data());
    Functions::destroy(message, pe.pool());
    pe.count_done();
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::record(name(), &invoke);
  static inline const EntryRecord* const listed_ = enlist(record_);
};

void send_inline(Rank& rank, const Envelope& envelope, const Outgoing& data) {
  constexpr std::size_t kFew = 24;
  Pe& pe = rank.scheduler();
  const PeId to = rank.pe_of(envelope.to);
  Departures::here().note_send();
  if (envelope.bytes <= kFew)
    InlineMessage<kFew>::send(pe, to, envelope, data);
  else
    InlineMessage<kMostInline>::send(pe, to, envelope, data);
}

void send_to_other_pe(Rank& rank, const Envelope& envelope, Payload<std::byte>&& data, bool is_lent) {
  Pe& pe = rank.scheduler();
  const PeId to = rank.pe_of(envelope.to);
  Departures::here().note_send();
  if (is_lent && pe.process().is_local(to))
    RankMessage<true>::send(pe, to, envelope, std::move(data));
  else
    RankMessage<false>::send(pe, to, envelope, std::move(data));
}

void tell_matched(Rank& rank, const Envelope& envelope) {
  using Matched = RemoteProcedure<&message_handlers::matched, Counting::counted>;
  Matched::send(rank.scheduler(), rank.pe_of(envelope.from), envelope.waiting_send);
}

void ask_back(Rank& rank, const Recall& recall) {
  using Asked = RemoteProcedure<&message_handlers::recall, Counting::counted>;
  Asked::send(rank.scheduler(), rank.pe_of(recall.to), recall);
}

void answer_recall(Rank& rank, const Recall& recall, bool has_gone) {
  using Answered = RemoteProcedure<&message_handlers::recalled, Counting::counted>;
  Answered::send(rank.scheduler(), rank.pe_of(recall.from), recall.send, has_gone);
}

}  // namespace kaon::ampi
