// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/migration/relocation.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "kaon/chares/elements/sparse_locations.hpp"
#include "kaon/chares/elements/sparse_news.hpp"
#include "kaon/chares/elements/table_procedure.hpp"
#include "kaon/chares/entries/inbox.hpp"
#include "kaon/chares/migration/balancing.hpp"
#include "kaon/chares/sending/orders.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::chares {
namespace relocation_procedures {  // not unnamed: entries are told apart by their names

/// What the runtime keeps of an element, in front of the `bytes` of the element's own.
struct Head {
  CollectionId collection = 0;
  std::uint32_t payloads = 0;  // of the element, beside the bytes
  std::uint64_t number = 0;
  std::uint32_t next_reduction = 0, moves = 0;
  CallCounts::Left calls_left = 0;
  std::vector<SectionTurn> turns;
  Lines lines;
  std::uint64_t bytes = 0;

  template <class Archive>
  void pup(Archive& archive) {
    bool has_lines = !lines.empty();
    archive(collection, payloads, number, next_reduction, moves, calls_left, turns, bytes, has_lines);
    if (has_lines) archive(lines.out, lines.in, lines.broadcasts);
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

void land(ElementTable& table, const Head& head, Reader& in, Brought& brought) {
  if (table.type().unpack == nullptr) throw CorruptMessage("a chare arrived whose class cannot move");
  const ElementBase::Construction construction(position_in(table, head.number, head.next_reduction));
  ElementBase& element = unpack(table, head.number, in, head.bytes, brought);
  if (table.is_sparse())
    table.sparse_locations().arrived(head.number, head.moves);
  else
    table.locations().learn(head.number, {table.pe().id(), head.moves});
  table.sections().put_turns(head.number, head.turns);
  if (!head.lines.empty()) table.part<Orders>().put_lines(head.number, head.lines);
  if (Balancing* const balancing = table.find_part<Balancing>()) balancing->calls().put(head.number, head.calls_left);
  table.elements().note_moved_in(1);
  table.adopt(element);
}

/// What has come, in messages of one array or of several that live together.
class Cargo {
 public:
  Cargo(std::uint32_t count, const std::vector<std::byte>& bytes, std::vector<Payload<std::byte>> payloads)
      : count_(count), in_(bytes.data(), bytes.size()), brought_(std::move(payloads)) {}

  /// `find` gives the table for the number of a collection; nullptr: it is no more, and so is the element.
  template <class Find>
  void land_all(Find find) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      Head head;
      in_(head);
      if (ElementTable* const table = find(head.collection))
        land(*table, head, in_, brought_);
      else
        pass_over(head);
    }
    if (brought_.has_some()) throw CorruptMessage("payloads came with a chare whose pup() reads fewer than it wrote");
  }

 private:
  void pass_over(const Head& head) {
    in_.take(head.bytes);
    for (std::uint32_t i = 0; i < head.payloads; ++i)
      runtime::release_payload(std::exchange(brought_.records.at(brought_.next++), nullptr));
  }

  std::uint32_t count_;
  Reader in_;
  Brought brought_;
};

void note_landed(ElementTable& table, std::uint8_t is_of_step, std::uint32_t count) {
  Balancing* const balancing = table.find_part<Balancing>();
  if (is_of_step != 0 && balancing != nullptr) balancing->elements_landed(count);
}

void arrive(ElementTable& table, std::uint32_t count, std::uint8_t is_of_step, std::vector<std::byte> bytes,
            std::vector<Payload<std::byte>> payloads) {
  Cargo(count, bytes, std::move(payloads)).land_all([&](CollectionId id) -> ElementTable* {
    if (id != table.id()) throw CorruptMessage("a chare arrived in a message of another array");
    return &table;
  });
  note_landed(table, is_of_step, count);
}

/// Of a leader and those bound to it, any of which may have been destroyed meanwhile: the others still arrive. All PEs
/// have had their parts of them before the first element was made.
void arrive_together(Pe& pe, CollectionId leader, std::uint32_t count, std::uint32_t leading, std::uint8_t is_of_step,
                     std::vector<std::byte> bytes, std::vector<Payload<std::byte>> payloads) {
  const auto find = [&](CollectionId id) {
    ElementTable* const table = find_table(pe.collections(), id);
    return table != nullptr && !table->is_ending() ? table : nullptr;
  };
  Cargo(count, bytes, std::move(payloads)).land_all(find);
  if (ElementTable* const table = find(leader)) note_landed(*table, is_of_step, leading);
}

void learn(ElementTable& table, PeId where, std::vector<MoveNews> news) {
  if (where >= table.pe().process().total_pes())
    throw CorruptMessage("elements are said to be on a PE that does not exist");
  for (const MoveNews& each : news) {
    if (each.element >= table.locations().placement().count())
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
  take_off(table_, element);
  ++leading_;
  if (table_.bonds().leads())
    for (const bonds::Mate& mate : bonds::mates_of(table_, index)) take_off(mate.table, mate.element);
  if (bytes_.size() >= kBytesAtATime || payload_bytes_ >= kPayloadBytesAtATime) send_bytes();
}

void Relocation::take_off(ElementTable& table, ElementBase& element) {
  const std::uint64_t index = table.number_of(element);
  const std::uint32_t moves = table.forwarding().moves_of(index) + 1;
  WorkList held;
  try {
    Orders* const orders = table.find_part<Orders>();
    pack(table, element, moves, orders != nullptr ? orders->take_lines(index, held) : Lines{});
  } catch (...) {
    table.pe().fail(std::current_exception(), "pup() of " + table.name_of(index) + ", which moves");
    throw;
  }
  table.holds().remove(index);
  table.elements().note_moved_in(-1);
  table.remove(element);
  note_move(table, index, moves);
  inbox::take_lost();
  table.type().destroy(element);
  table.elements().tidy();
  check_nothing_lost(table, index);
  while (Work* const message = held.take()) table.forwarding().forward(static_cast<Message&>(*message));
}

void Relocation::pack(ElementTable& table, ElementBase& element, std::uint32_t moves, Lines lines) {
  const std::uint64_t index = table.number_of(element);
  std::vector<PayloadRecord*> payloads;
  Writer state(nullptr, 0, &payloads), size(nullptr, 0);
  table.type().pack(element, state);
  const auto count = static_cast<std::uint32_t>(payloads.size());
  payloads.clear();
  Balancing* const balancing = table.find_part<Balancing>();
  relocation_procedures::Head head{table.id(),
                                   count,
                                   index,
                                   ElementAccess::next_reduction(element),
                                   moves,
                                   balancing != nullptr ? balancing->calls().take(index) : 0,
                                   table.sections().take_turns(index),
                                   std::move(lines),
                                   state.bytes()};
  size(head);
  const std::size_t begin = bytes_.size();
  bytes_.resize(begin + size.bytes() + state.bytes());
  Writer(bytes_.data() + begin, size.bytes())(head);
  Writer out = Writer::taker(bytes_.data() + begin + size.bytes(), state.bytes(), payloads);
  table.type().pack(element, out);
  for (PayloadRecord* record : payloads) take(runtime::OwnedPayload(record));
  ++count_;
}

void Relocation::take(runtime::OwnedPayload record) {
  payload_bytes_ += record->bytes;
  payloads_.push_back(Payload<std::byte>::of(std::move(record)));
}

// Also to where it goes, so that early messages wait for it there.
void Relocation::note_move(ElementTable& table, std::uint64_t index, std::uint32_t moves) {
  if (table.is_sparse()) return note_move_in_sparse(table, index, to_);
  table.locations().learn(index, {to_, moves});
  const PeId home = table.locations().placement().home(index);
  if (home != table.pe().id()) news_[{home, table.id()}].push_back({index, moves});
  if (home != to_) news_[{to_, table.id()}].push_back({index, moves});
}

void Relocation::send() {
  if (count_ > 0) send_bytes();
  for (auto& [key, news] : news_)
    TableProcedure<&relocation_procedures::learn>::send(table_.pe(), key.first, key.second, to_, std::move(news));
  news_.clear();
}

void Relocation::send_bytes() {
  using Arrive = TableProcedure<&relocation_procedures::arrive, Counting::counted>;
  using ArriveTogether = RemoteProcedure<&relocation_procedures::arrive_together, Counting::counted>;
  const std::uint8_t is_of_step = is_of_step_ ? 1 : 0;
  const std::uint32_t leading = std::exchange(leading_, 0u), count = std::exchange(count_, 0u);
  payload_bytes_ = 0;
  if (table_.bonds().leads())
    ArriveTogether::send(table_.pe(), to_, table_.id(), count, leading, is_of_step, std::exchange(bytes_, {}),
                         std::exchange(payloads_, {}));
  else
    Arrive::send(table_.pe(), to_, table_.id(), count, is_of_step, std::exchange(bytes_, {}),
                 std::exchange(payloads_, {}));
}

}  // namespace kaon::chares
