// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/holds.hpp"

#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::chares;

namespace {

constexpr std::uint64_t kElement = 3, kOther = 4;

bool is_taken(const Holds& holds, std::uint64_t element, const std::vector<int>& memory) {
  try {
    holds.check(element, memory.data(), memory.size() * sizeof(int));
  } catch (const UsageError&) {
    return true;
  }
  return false;
}

struct Landed {
  std::vector<int> memory = std::vector<int>(10);
  char message = 0, task = 0;  // keys
  void take(Holds& holds) { holds.take(kElement, &message, memory.data(), memory.size() * sizeof(int)); }
};

}  // namespace

TEST_CASE("an element is kept until each message comes whose payloads were landed in it", "[chares][holds]") {
  Holds holds;
  CHECK_FALSE(holds.keeps(kElement));
  for (int i = 0; i < 2; ++i) holds.begin(kElement);
  CHECK(holds.keeps(kElement));
  CHECK_FALSE(holds.keeps(kOther));
  holds.end(kElement);
  CHECK(holds.keeps(kElement));
  holds.end(kElement);
  CHECK_FALSE(holds.keeps(kElement));
}

TEST_CASE("a landing that is free again does not let go of an element for which another message is under way",
          "[chares][holds]") {
  Holds holds;
  Landed landed;
  holds.begin(kElement);  // of a message whose payload is pooled
  landed.take(holds);
  holds.begin(kElement);
  holds.end(kElement);
  holds.free(kElement, &landed.message);
  CHECK_FALSE(is_taken(holds, kElement, landed.memory));
  CHECK(holds.keeps(kElement));
  holds.end(kElement);
  CHECK_FALSE(holds.keeps(kElement));
}

TEST_CASE("a landing is taken for one element until the task is over that took over its message", "[chares][holds]") {
  Holds holds;
  Landed landed;
  landed.take(holds);
  CHECK(is_taken(holds, kElement, landed.memory));
  CHECK_FALSE(is_taken(holds, kOther, landed.memory));
  holds.change_key(kElement, &landed.message, &landed.task);
  holds.free(kElement, &landed.message);
  CHECK(is_taken(holds, kElement, landed.memory));
  holds.free(kElement, &landed.task);
  CHECK_FALSE(is_taken(holds, kElement, landed.memory));
}

TEST_CASE("an element that has left holds nothing when it comes back", "[chares][holds]") {
  Holds holds;
  Landed landed;
  holds.remove(kElement);
  landed.take(holds);
  holds.remove(kElement);
  CHECK_FALSE(is_taken(holds, kElement, landed.memory));
  holds.free(kElement, &landed.message);  // of a message that an inbox took along
  holds.change_key(kElement, &landed.message, &landed.task);
  landed.take(holds);
  CHECK(is_taken(holds, kElement, landed.memory));
}
