// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/entry_table.hpp"

#include <string>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace kaon::testing::entries {
void numbered(Pe&, int) {}
}  // namespace kaon::testing::entries

namespace {

void unnamed(Pe&, int) {}

EntryRecord record(std::string_view name, std::string_view signature = "void(int)", std::uint32_t bytes = 4) {
  EntryRecord record{};
  record.name = name;
  record.signature = signature;
  record.message_bytes = bytes;
  return record;
}

std::string refusal(const EntryRecord& first, const EntryRecord& second) {
  try {
    EntryTable({&first, &second});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

std::uint64_t hash_of(const EntryRecord& first, const EntryRecord& second) {
  return EntryTable({&first, &second}).hash();
}

template <auto F>
std::string_view name_of() {
  return __PRETTY_FUNCTION__;
}

}  // namespace

TEST_CASE("entries are numbered by name, in whatever order they were listed", "[runtime][entry_table]") {
  const EntryRecord a = record("A::run"), b = record("B::run");
  const EntryTable table({&b, &a});
  CHECK(a.id == 0);
  CHECK(b.id == 1);
  CHECK(table.find(0) == &a);
  CHECK(table.find(1) == &b);
  CHECK(table.size() == 2);
  CHECK(table.find(2) == nullptr);
  CHECK(table.find(~0u) == nullptr);
  CHECK(table.hash() == EntryTable({&a, &b}).hash());
}

TEST_CASE("two entries of one name and signature are refused", "[runtime][entry_table]") {
  const EntryRecord a = record("A::run"), twin = record("A::run"), overload = record("A::run", "void(double)");
  CHECK(refusal(a, twin).find("A::run") != std::string::npos);
  CHECK(refusal(a, overload).empty());
}

TEST_CASE("instances of one function template are told apart", "[runtime][entry_table]") {
  EntryRecord first = record("run"), second = record("run");
  first.instance = &typeid(int);
  second.instance = &typeid(long);
  CHECK(refusal(first, second).empty());
  second.instance = &typeid(int);
  CHECK(refusal(first, second).find("run") != std::string::npos);
}

TEST_CASE("names that exist in one file only are refused", "[runtime][entry_table]") {
  const EntryRecord proper = record("kaon::B::run");
  for (const char* name : {"kaon::{anonymous}::A::run", "kaon::(anonymous namespace)::A::run", "main()::A::run"}) {
    INFO(name);
    CHECK(refusal(record(name), proper).find("named namespace") != std::string::npos);
  }
}

TEST_CASE("this compiler's way to write an unnamed namespace is known", "[runtime][entry_table]") {
  const EntryRecord proper = record("kaon::B::run");
  const EntryRecord local = record(name_of<&unnamed>());
  CHECK_FALSE(refusal(local, proper).empty());
}

TEST_CASE("the hash tells programs apart", "[runtime][entry_table]") {
  const EntryRecord a = record("A::run"), b = record("B::run");
  const std::uint64_t hash = hash_of(a, b);
  CHECK(hash == hash_of(record("B::run"), record("A::run")));
  CHECK(hash != hash_of(a, record("C::run")));
  CHECK(hash != hash_of(a, record("B::run", "void(long)")));
  CHECK(hash != hash_of(a, record("B::run", "void(int)", 8)));
  CHECK(hash != EntryTable({&a}).hash());
}

TEST_CASE("the handlers of a program are listed before main", "[runtime][entry_table]") {
  const EntryTable& table = EntryTable::freeze();
  CHECK(&table == &EntryTable::freeze());
  int found = 0;
  for (std::uint32_t id = 0; id < table.size(); ++id) {
    CHECK(table.find(id)->id == id);
    if (table.find(id)->name.find("kaon::testing::entries::numbered") != std::string_view::npos) ++found;
  }
  CHECK(found == 1);
  // Naming it in a send is what lists it; nobody need run the send.
  [[maybe_unused]] const auto send = &RemoteProcedure<&kaon::testing::entries::numbered>::send<int>;
}
