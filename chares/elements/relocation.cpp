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

<<<<<<< HEAD
/// Each from bytes of its own, so that a pup that reads other than it wrote is found where it is, and not in the next.
ElementBase& unpack(ElementTable& table, std::uint64_t number, Reader& in, std::uint64_t bytes) {
  Reader own(in.take(bytes), bytes);
  const auto say = [&](const std::string& what) {
    return table.name_of(number) + " moved, and its pup reads other than it wrote: " + what;
  };
  ElementBase* element = nullptr;
  try {
    element = &table.type().unpack(own);
  } catch (const CorruptMessage& error) {
    throw CorruptMessage(say(error.what()));
  }
  if (own.remaining() == 0) return *element;
  table.type().destroy(*element);
  throw CorruptMessage(say("the last " + std::to_string(own.remaining()) + " bytes stay unread"));
}

void arrive(ElementTable& table, std::uint32_t count, std::uint8_t is_of_step, std::vector<std::byte> bytes) {
=======
/// Of payloads that came with elements: those that nobody has taken end here.
struct Brought {
  std::vector<PayloadRecord*> records;

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

void arrive(ElementTable& table, std::uint32_t count, std::uint8_t is_of_step, std::vector<std::byte> bytes,
            std::vector<Payload<std::byte>> payloads) {
>>>>>>> de0f417 (Balancing: traffic, devices' time and memory, gossip, automatic)
  if (table.type().unpack == nullptr) throw CorruptMessage("a chare arrived whose class cannot move");
  Brought brought(std::move(payloads));
  Reader in = Reader::bringer(bytes.data(), bytes.size(), brought.records);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint64_t number = 0;
    std::uint32_t next_reduction = 0, moves = 0;
    CallCounts::Left calls_left = 0;
    std::vector<SectionTurn> turns;
<<<<<<< HEAD
    std::uint64_t bytes_of_state = 0;
    bool has_lines = false;
    Lines lines;
    in(number, next_reduction, moves, turns, bytes_of_state, has_lines);
    if (has_lines) in(lines.out, lines.in);
=======
    in(number, next_reduction, moves, calls_left, turns);
>>>>>>> de0f417 (Balancing: traffic, devices' time and memory, gossip, automatic)
    const ElementBase::Construction construction(table.position(number, next_reduction));
    ElementBase& element = unpack(table, number, in, bytes_of_state);
    if (table.is_sparse())
      table.sparse_locations().arrived(number, moves);
    else
      table.locations().learn(number, {table.pe().id(), moves});
    table.sections().put_turns(number, turns);
<<<<<<< HEAD
    if (has_lines) table.orders().put_lines(number, lines);
=======
    if (table.balancing() != nullptr) table.balancing()->calls().put(number, calls_left);
>>>>>>> de0f417 (Balancing: traffic, devices' time and memory, gossip, automatic)
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
<<<<<<< HEAD
  while (Work* const message = held.take()) table_.forward(static_cast<Message&>(*message));
  if (bytes_.size() >= kBytesAtATime) send_bytes();
=======
  if (bytes_.size() >= kBytesAtATime || payload_bytes_ >= kPayloadBytesAtATime) send_bytes();
>>>>>>> de0f417 (Balancing: traffic, devices' time and memory, gossip, automatic)
}

void Relocation::pack(ElementBase& element, std::uint64_t index, std::uint32_t moves, const Lines& lines) {
  const bool has_lines = !lines.empty();
  const std::vector<SectionTurn> turns = table_.sections().take_turns(index);
<<<<<<< HEAD
  Writer state(nullptr, 0), head(nullptr, 0);
  table_.type().pack(element, state);
  const std::uint64_t bytes_of_state = state.bytes();
  const auto write_head = [&](Writer& out) {
    out(index, ElementAccess::next_reduction(element), moves, turns, bytes_of_state, has_lines);
    if (has_lines) out(lines.out, lines.in);
  };
  write_head(head);
  const std::size_t begin = bytes_.size();
  bytes_.resize(begin + head.bytes() + state.bytes());
  Writer head_out(bytes_.data() + begin, head.bytes());
  write_head(head_out);
  Writer state_out(bytes_.data() + begin + head.bytes(), state.bytes());
  table_.type().pack(element, state_out);
=======
  Balancing* const balancing = table_.balancing();
  const CallCounts::Left calls_left = balancing != nullptr ? balancing->calls().take(index) : 0;
  const auto write = [&](Writer& out) {
    out(index, ElementAccess::next_reduction(element), moves, calls_left, turns);
    table_.type().pack(element, out);
  };
  std::vector<PayloadRecord*> payloads;
  Writer size(nullptr, 0, &payloads);
  write(size);
  payloads.clear();
  const std::size_t begin = bytes_.size();
  bytes_.resize(begin + size.bytes());
  Writer out = Writer::taker(bytes_.data() + begin, size.bytes(), payloads);
  write(out);
  for (PayloadRecord* record : payloads) take(runtime::OwnedPayload(record));
>>>>>>> de0f417 (Balancing: traffic, devices' time and memory, gossip, automatic)
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
