// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/collection_table.hpp"

#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/testing/network.hpp"
#include "tests/support/catch.hpp"

namespace {

using namespace kaon::testing;

constexpr char kKind = 0;

/// Does something when it goes, as chares do that send from their destructors.
class Part final : public Collection {
 public:
  explicit Part(std::function<void()> at_end = [] {}) : Collection(&kKind), at_end_(std::move(at_end)) {}
  ~Part() override { at_end_(); }
  void destroy_tasks() override {}
  void say_name(std::uint64_t, ShortText& text) const override { text << "a part"; }

 private:
  std::function<void()> at_end_;
};

Collection* add(CollectionTable& table, CollectionId id) {
  auto part = std::make_unique<Part>();
  Collection* const added = part.get();
  CHECK(table.add(id, std::move(part)) == nullptr);
  return added;
}

EntryRecord record_of(const char& chare_type) {
  EntryRecord record{};
  record.name = "C::entry";
  record.chare_type = &chare_type;
  return record;
}

}  // namespace

TEST_CASE("each number leads to its own collection, in whatever order they are looked up", "[runtime][collections]") {
  constexpr CollectionId kCount = 200;
  CollectionTable table;
  std::vector<Collection*> added(kCount, nullptr);
  for (CollectionId id = 1; id < kCount; ++id) added[id] = add(table, id);
  for (const CollectionId step : {1u, 7u, 8u, 64u})
    for (CollectionId i = 0, id = 1; i < 2 * kCount; ++i, id = (id + step) % kCount) CHECK(table.find(id) == added[id]);
}

TEST_CASE("a collection that was removed is not found, though it was looked up before", "[runtime][collections]") {
  CollectionTable table;
  Collection* const other = add(table, 9);
  (void)add(table, 1);
  CHECK(table.find(1) != nullptr);
  table.remove(1);
  CHECK(table.find(1) == nullptr);
  CHECK(table.was_removed(1));
  CHECK(table.find(9) == other);
  CHECK_FALSE(table.was_removed(9));
}

TEST_CASE("a number that was looked up in vain leads to its collection when that is made", "[runtime][collections]") {
  CollectionTable table;
  (void)add(table, 2);  // of the page of 1
  CHECK(table.find(1) == nullptr);
  CHECK(table.find(70) == nullptr);
  Collection* const first = add(table, 1);
  Collection* const second = add(table, 70);
  CHECK(table.find(1) == first);
  CHECK(table.find(70) == second);
}

TEST_CASE("who goes with its collection does not find that any more", "[runtime][collections]") {
  CollectionTable table;
  Collection* found = nullptr;
  (void)table.add(1, std::make_unique<Part>([&] { found = table.find(1); }));
  found = table.find(1);
  CHECK(found != nullptr);
  table.remove(1);
  CHECK(found == nullptr);
}

TEST_CASE("when all collections go, each still finds those that are there, and no other", "[runtime][collections]") {
  CollectionTable table;
  std::set<CollectionId> there{1, 2, 9, 70};
  int wrong = 0;
  const auto look = [&](CollectionId id) {
    there.erase(id);
    for (const CollectionId each : {1u, 2u, 9u, 70u}) wrong += (table.find(each) != nullptr) != there.contains(each);
  };
  for (const CollectionId id : {1u, 2u, 9u, 70u}) {
    (void)table.add(id, std::make_unique<Part>([&look, id] { look(id); }));
    CHECK(table.find(id) != nullptr);
  }
  (void)table.clear();
  CHECK(there.empty());
  CHECK(wrong == 0);
  CHECK(table.find(9) == nullptr);
}

TEST_CASE("what waits for a collection comes out in order when that is made, and the rest at the end",
          "[runtime][collections]") {
  CollectionTable table;
  const EntryRecord record = record_of(kKind);
  Message first(record), second(record), other(record);
  first.collection = second.collection = 3;
  other.collection = 70;
  for (Message* message : {&first, &other, &second}) table.await(*message);
  CHECK(table.add(3, std::make_unique<Part>()) == &first);
  CHECK(first.next == &second);
  CHECK(second.next == nullptr);
  CHECK(table.clear() == std::vector<Work*>{&other});
  CHECK(other.next == nullptr);
}

TEST_CASE("a message that waited for a collection of other chares is refused", "[runtime][collections][bad input]") {
  constexpr char kOther = 0;
  CollectionTable table;
  const EntryRecord fitting = record_of(kKind), record = record_of(kOther);
  Message first(fitting), second(record);
  for (Message* message : {&first, &second}) {
    message->collection = 3;
    table.await(*message);
  }
  CHECK_THROWS_WITH(table.add(3, std::make_unique<Part>()), contains_text("named a collection of other"));
}

TEST_CASE("numbers that are over stay so, though all around them are", "[runtime][collections]") {
  constexpr CollectionId kCount = 200;
  CollectionTable table;
  for (CollectionId id = 1; id < kCount; ++id) (void)add(table, id);
  for (CollectionId id = 1; id < kCount - 1; ++id) table.remove(id);
  for (CollectionId id = 1; id < kCount - 1; ++id) {
    CHECK(table.was_removed(id));
    CHECK(table.find(id) == nullptr);
    CHECK_THROWS_AS(table.add(id, std::make_unique<Part>()), CorruptMessage);
  }
  CHECK_FALSE(table.was_removed(kCount - 1));
  CHECK(table.find(kCount - 1) != nullptr);
  CHECK_FALSE(table.was_removed(kCount));
}
