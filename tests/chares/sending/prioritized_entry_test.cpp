// SPDX-License-Identifier: Apache-2.0
// Priorities of bits: of messages, and of chares that are to be made.
#include "kaon/chares/sending/prioritized_entry.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::bits {

std::vector<std::string> order;

class Diary : public Chare<Diary> {
 public:
  template <class Archive>
  void pup(Archive&) {}
  void note(std::string word) { order.push_back(std::move(word)); }
  int count(std::string word) {
    order.push_back(std::move(word));
    return static_cast<int>(order.size());
  }
  void fill() {
    const BitPriority first = BitPriority().child(0, 1), second = BitPriority().child(1, 1);
    self().with_priority(2).send<&Diary::note>("last");
    self().with_priority(second).send<&Diary::note>("1");
    self().with_priority(second.child(0, 1)).send<&Diary::note>("10");
    self().with_priority(first.child(1, 1)).send<&Diary::note>("01");
    self().with_priority(first).send<&Diary::note>("0");
    self().with_priority(BitPriority()).send<&Diary::note>("");
    self().with_priority(first).send<&Diary::note>("0 again");
    self().send<&Diary::note>("plain");
    self().with_priority(-1).send<&Diary::note>("urgent");
  }
  void go(PeId to) { migrate_to(to); }
};

void reset() { order.clear(); }

TEST_CASE("messages by bits run behind plain ones, in the order of their bits, first come first", "[bits]") {
  run_everywhere(
      [](Runtime& runtime) -> Task<> {
        const auto diaries = co_await runtime.create<Diary>(3);
        diaries[2].send<&Diary::fill>();
        co_await runtime.quiescence();
        CHECK(order == std::vector<std::string>{"urgent", "plain", "", "0", "0 again", "01", "1", "10", "last"});
      },
      &reset);
}

TEST_CASE("calls by bits give results, also of elements that have moved", "[bits]") {
  run_everywhere(
      [](Runtime& runtime) -> Task<> {
        const auto diaries = co_await runtime.create<Diary>(2);
        diaries[1].send<&Diary::go>(0u);
        for (int i = 0; i < 5; ++i) {
          std::string word = "word";
          const int count =
              co_await diaries[1].with_priority(BitPriority().child(1, 1)).call<&Diary::count>(std::move(word));
          CHECK(count == i + 1);
        }
      },
      &reset);
}

/// A node of a binary tree, which is searched from left to right.
class Node : public Chare<Node> {
 public:
  Node(std::string path, BitPriority priority) {
    order.push_back(path);
    if (path.size() < 4)
      for (const int which : {1, 0})  // the right one is known first
        this_runtime().make_with_priority<Node>(priority.child(static_cast<std::uint64_t>(which), 1),
                                                path + (which == 0 ? '0' : '1'),
                                                priority.child(static_cast<std::uint64_t>(which), 1));
    destroy();
  }
};

TEST_CASE("on one PE chares are made in the order of a sequential search", "[bits][single]") {
  reset();
  Scene scene({1, 1});
  scene.run([](Runtime& runtime) -> Task<> {
    runtime.make_with_priority<Node>(BitPriority(), std::string(), BitPriority());
    co_await runtime.quiescence();
  });
  CHECK(order.size() == 31);
  CHECK(std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("on many PEs every chare by bits is made once", "[bits][single]") {
  run_everywhere(
      [](Runtime& runtime) -> Task<> {
        for (int i = 0; i < 3; ++i) runtime.make_with_priority<Node>(BitPriority(), std::string(), BitPriority());
        co_await runtime.quiescence();
        CHECK(order.size() == 93);
      },
      &reset);
}

}  // namespace kaon::testing::bits
