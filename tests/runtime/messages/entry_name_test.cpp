// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/entry_name.hpp"

#include "tests/support/catch.hpp"

namespace kaon::testing::entry_names {

struct Block {
  void run(int) {}
};

template <auto E>
std::string_view rendering() {
  return __PRETTY_FUNCTION__;
}

TEST_CASE("an entry is called by its class and name", "[runtime][entry]") {
  const std::string name = kaon::runtime::readable_name(rendering<&Block::run>());
  CHECK(name.ends_with("Block::run"));
  CHECK(name.find_first_of("&[;") == name.npos);
}

TEST_CASE("what makes the elements of an array is called a constructor", "[runtime][entry]") {
  CHECK(kaon::runtime::readable_name("name() [with C = fluid::Block; Args = {int}; std::string_view = x]") ==
        "constructor of fluid::Block");
  CHECK(kaon::runtime::readable_name("name() [C = fluid::Block, Args = <int>]") == "constructor of fluid::Block");
}

TEST_CASE("what stands for a message that could not be sent says so", "[runtime][entry]") {
  CHECK(kaon::runtime::readable_name("kaon::SkippedTurn<C>::name() [with C = fluid::Block; std::string_view = x]") ==
        "an ordered entry, which could not be sent, of fluid::Block");
}

TEST_CASE("a name ends where its own commas have ended", "[runtime][entry]") {
  CHECK(kaon::runtime::readable_name("name() [with auto E = &Field<int, 2>::run; C = Field<int, 2>]") ==
        "Field<int, 2>::run");
  CHECK(kaon::runtime::readable_type("f() [with K = int; M = Pair<int, long>]", "M") == "Pair<int, long>");
}

TEST_CASE("a rendering of another form is left alone", "[runtime][entry]") {
  CHECK(kaon::runtime::readable_name("Reply<int>::name()") == "Reply<int>::name()");
}

}  // namespace kaon::testing::entry_names
