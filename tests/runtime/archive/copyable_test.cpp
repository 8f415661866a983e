// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/archive/copyable.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kaon/runtime/payloads/payload.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

struct Tree {
  int value;
  std::vector<Tree> children;
};
struct Halo {
  int face;
  Payload<double> plane;
};

static_assert(is_copyable<int>);
static_assert(is_copyable<std::string>);
static_assert(is_copyable<std::vector<std::map<int, std::string>>>);
static_assert(is_copyable<std::variant<int, std::optional<std::string>>>);
static_assert(is_copyable<Tree>);
static_assert(!is_copyable<Payload<double>>);
static_assert(std::is_copy_constructible_v<std::vector<Payload<double>>>);  // what it says of itself
static_assert(!is_copyable<std::vector<Payload<double>>>);
static_assert(!is_copyable<std::optional<std::vector<Payload<double>>>>);
static_assert(!is_copyable<std::pair<int, std::vector<Payload<double>>>>);
static_assert(!is_copyable<std::map<int, std::vector<Payload<double>>>>);
static_assert(!is_copyable<Halo>);

}  // namespace

TEST_CASE("what holds payloads somewhere inside is known not to be copyable", "[runtime][copyable]") {
  CHECK_FALSE(is_copyable<Halo>);  // checked above, when this file is compiled
  CHECK(is_copyable<Tree>);
}
