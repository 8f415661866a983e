// SPDX-License-Identifier: Apache-2.0
// Sections that are made from several PEs, and what becomes of contributions when one or its array is destroyed.
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::section_ends {

class Cell : public Chare<Cell> {
 public:
  template <class Archive>
  void pup(Archive&) {}
  int place() const { return index().x; }
  Task<int> add_up(Section<Cell> section) { co_return co_await contribute(section, sum, 1); }
  Task<Section<Cell>> make_section(std::vector<int> members) {
    const std::vector<Index> all(members.begin(), members.end());
    co_return co_await array().section(all);
  }
};

Task<int> sum_of(Section<Cell> section) { co_return co_await section.call_all<&Cell::place>(sum); }

Task<> make_from_several_pes(Runtime& runtime) {
  const int count = 4 * static_cast<int>(runtime.pes());
  const auto cells = co_await runtime.create<Cell>(count);
  std::vector<Section<Cell>> sections;
  for (int i = 0; i < count; ++i) {
    const std::vector<int> members{i, (i + 1) % count};
    sections.push_back(co_await cells[i].call<&Cell::make_section>(members));
  }
  for (int i = 0; i < count; ++i) {
    const int total = co_await sum_of(sections[static_cast<std::size_t>(i)]);
    CHECK(total == i + (i + 1) % count);
  }
}

/// By a task that is nobody's of the array, of a member that lives where it runs; the others do not contribute.
Task<std::string> error_of_contribution(Element<Cell> member, Section<Cell> section) {
  try {
    static_cast<void>(co_await member.local()->add_up(section));
  } catch (const UsageError& error) {
    co_return error.what();
  }
  co_return "";
}

Task<int> destroy_section(Runtime& runtime, Section<Cell> section) {
  co_await runtime.quiescence();
  section.destroy();
  co_return 0;
}
Task<int> destroy_array(Runtime& runtime, Proxy<Cell> cells) {
  co_await runtime.quiescence();
  co_await cells.destroy_and_wait();
  co_return 0;
}

Task<> destroy_what_is_awaited(Runtime& runtime, bool is_array) {
  const auto cells = co_await runtime.create_group<Cell>();
  const int count = static_cast<int>(runtime.pes());
  std::vector<Index> members;
  for (int i = 0; i < count; ++i) members.emplace_back(i);
  if (count == 1) co_return;
  const auto section = co_await cells.section(members);
  auto contribution = error_of_contribution(cells[static_cast<int>(runtime.pe())], section);
  auto end = is_array ? destroy_array(runtime, cells) : destroy_section(runtime, section);
  const auto [text, nothing] = co_await all(std::move(contribution), std::move(end));
  CHECK(text.find("destroyed") != std::string::npos);
  CHECK(nothing == 0);
}

TEST_CASE("sections that are made from several PEs are different ones", "[chares][section]") {
  run_everywhere(make_from_several_pes);
}
TEST_CASE("who has contributed to a section is told that it was destroyed", "[chares][section]") {
  run_everywhere([](Runtime& runtime) { return destroy_what_is_awaited(runtime, false); });
}
TEST_CASE("who has contributed to a section is told that its array was destroyed", "[chares][section]") {
  run_everywhere([](Runtime& runtime) { return destroy_what_is_awaited(runtime, true); });
}

}  // namespace kaon::testing::section_ends
