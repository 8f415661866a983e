// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/relocation.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kaon/chares/balancing/balancing.hpp"
#include "kaon/chares/elements/sparse_news.hpp"
#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/chares/inbox.hpp"
#include "kaon/chares/sending/orders.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace relocation_procedures {  // not unnamed: entries are told apart by their names

/// What the runtime keeps of an element, in front of the `bytes` of the element's own.
struct Head {
  std::uint64_t number = 0;
  std::uint32_t next_reduction = 0, moves = 0;
  CallCounts::Left calls_left = 0;
  std::vector<SectionTurn> turns;
  Lines lines;
  std::uint64_t bytes = 0;

  template <class Archive>
  void pup(Archive& archive) {
    bool has_lines = !lines.empty();
    archive(number, next_reduction, moves, calls_left, turns, bytes, has_lines);
    if (has_lines) archive(lines.out, lines.in);
  }
};

/// Of payloads that came with elements: those that nobody has taken end here.
struct Brought {
  std::vector<PayloadRecord*> records;
  std::size_t next = 0;  // of records, that the next element takes

  explicit Brought(std::vector<Payload<std::byte>> payloads) {
    for (Payload<std::byte>& each : payloads) records.push_back(each.take_record().release());
  }
  Brought(const Brought&) = delete;
  Brought& operator=(const Brought&) = delete;
  bool has_some() const {
    return std::any_of(records.begin(), records.end(), [](const PayloadRecord* each) { return each != nullptr; });
  }
  ~Brought() {
    for (PayloadRecord* record : records) runtime::release_payload(record);
  }
};

/// Each from bytes of its own, so that a pup that reads other than it wrote is found where it is, and not in the next.
ElementBase& unpack(ElementTable& table, std::uint64_t number, Reader& in, std::uint64_t bytes, Brought& brought) {
  Reader own = Reader::bringer(in.take(bytes), bytes, brought.records, brought.next);
  const auto say = [&](const std::string& what) {
    return table.name_of(number) + " moved, and its pup reads other than it wrote: " + what;
  };
  ElementBase* element = nullptr;
  try {
    element = &table.type().unpack(own);
  } catch (const CorruptMessage& error) {
    throw CorruptMessage(say(error.what()));
  }
  brought.next = own.next_payload();
  if (own.remaining() == 0) return *element;
  table.type().destroy(*element);
  throw CorruptMessage(say("the last " + std::to_string(own.remaining()) + " bytes stay unread"));
}

void arrive(ElementTable& table, std::uint32_t count, std::uint8_t is_of_step, std::vector<std::byte> bytes,
            std::vector<Payload<std::byte>> payloads) {
  if (table.type().unpack == nullptr) throw CorruptMessage("a chare arrived whose class cannot move");
  Brought brought(std::move(payloads));
  Reader in(bytes.data(), bytes.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    Head head;
    in(head);
    const ElementBase::Construction construction(table.position(head.number, head.next_reduction));
    ElementBase& element = unpack(table, head.number, in, head.bytes, brought);
    if (table.is_sparse())
      table.sparse_locations().arrived(head.number, head.moves);
    else
      table.locations().learn(head.number, {table.pe().id(), head.moves});
    table.sections().put_turns(head.number, head.turns);
    if (!head.lines.empty()) table.orders().put_lines(head.number, head.lines);
    if (table.balancing() != nullptr) table.balancing()->calls().put(head.number, head.calls_left);
    table.note_moved_in(1);
    table.adopt(element);
  }
  if (brought.has_some()) throw CorruptMessage("payloads came with a chare whose pup() reads fewer than it wrote");
  if (is_of_step != 0 && table.balancing() != nullptr) table.balancing()->elements_landed(count);
}

void learn(ElementTable& table, PeId where, std::vector<MoveNews> news) {
  if (where >= table.pe().process().total_pes())
    throw CorruptMessage("elements are said to be on a PE that does not exist");
  for (const MoveNews& each : news) {
    if (each.element >= table.placement().count())
      throw CorruptMessage("the place of an element that does not exist was announced");
    table.locations().learn(each.element, {where, each.moves});
  }
}

}  // namespace relocation_procedures

namespace {

constexpr std::size_t kBytesAtATime = std::size_t{64} << 10;
constexpr std::size_t kPayloadBytesAtATime = std::size_t{8} << 20;

void check_nothing_lost(const ElementTable& table, std::uint64_t element) {
  const std::size_t lost = inbox::take_lost();
  if (lost > 0)
    throw UsageError(table.name_of(element) + " moved while its inboxes held " + std::to_string(lost) +
                     " messages that were not moved with it: archive every Inbox in pup()");
}

}  // namespace

void Relocation::add(ElementBase& element) {
  const std::uint64_t index = table_.number_of(element);
  const std::uint32_t moves = table_.moves_of(index) + 1;
  WorkList held;
  pack(element, index, moves, table_.has_orders() ? table_.orders().take_lines(index, held) : Lines{});
  table_.holds().remove(index);
  table_.note_moved_in(-1);
  table_.remove(element);
  note_move(index, moves);
  inbox::take_lost();
  table_.type().destroy(element);
  table_.elements().tidy();
  check_nothing_lost(table_, index);
  while (Work* const message = held.take()) table_.forward(static_cast<Message&>(*message));
  if (bytes_.size() >= kBytesAtATime || payload_bytes_ >= kPayloadBytesAtATime) send_bytes();
}

void Relocation::pack(ElementBase& element, std::uint64_t index, std::uint32_t moves, Lines lines) {
  std::vector<PayloadRecord*> payloads;
  Writer state(nullptr, 0, &payloads), size(nullptr, 0);
  table_.type().pack(element, state);
  payloads.clear();
  Balancing* const balancing = table_.balancing();
  relocation_procedures::Head head{index,
                                   ElementAccess::next_reduction(element),
                                   moves,
                                   balancing != nullptr ? balancing->calls().take(index) : 0,
                                   table_.sections().take_turns(index),
                                   std::move(lines),
                                   state.bytes()};
  size(head);
  const std::size_t begin = bytes_.size();
  bytes_.resize(begin + size.bytes() + state.bytes());
  Writer(bytes_.data() + begin, size.bytes())(head);
  Writer out = Writer::taker(bytes_.data() + begin + size.bytes(), state.bytes(), payloads);
  table_.type().pack(element, out);
  for (PayloadRecord* record : payloads) take(runtime::OwnedPayload(record));
  ++count_;
}

void Relocation::take(runtime::OwnedPayload record) {
  payload_bytes_ += record->bytes;
  payloads_.push_back(Payload<std::byte>::of(std::move(record)));
}

// Also to where it goes, so that early messages wait for it there.
void Relocation::note_move(std::uint64_t index, std::uint32_t moves) {
  if (table_.is_sparse()) return note_move_in_sparse(table_, index, to_);
  table_.locations().learn(index, {to_, moves});
  const PeId home = table_.placement().home(index);
  if (home != table_.pe().id()) news_[home].push_back({index, moves});
  if (home != to_) news_[to_].push_back({index, moves});
}

void Relocation::send() {
  if (count_ > 0) send_bytes();
  for (auto& [pe, news] : news_)
    TableProcedure<&relocation_procedures::learn>::send(table_.pe(), pe, table_.id(), to_, std::move(news));
  news_.clear();
}

void Relocation::send_bytes() {
  using Arrive = TableProcedure<&relocation_procedures::arrive, Counting::counted>;
  const std::uint8_t is_of_step = is_of_step_ ? 1 : 0;
  payload_bytes_ = 0;
  Arrive::send(table_.pe(), to_, table_.id(), std::exchange(count_, 0u), is_of_step, std::exchange(bytes_, {}),
               std::exchange(payloads_, {}));
}

}  // namespace kaon::chares
