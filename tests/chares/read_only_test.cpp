// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/read_only.hpp"

#include <string>
#include <utility>
#include <vector>

#include "kaon/chares/chare.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::read_only_values {

struct Setting {
  int steps = 0;
  std::string name;
  std::vector<double> weights;
};

ReadOnly<Setting> setting;
ReadOnly<int> other;
ReadOnly<int> never;

class Reader : public Chare<Reader> {
 public:
  Reader() : at_start_(setting->steps) {}
  int sum() const { return at_start_ + *other + static_cast<int>(setting->weights.size() + setting.get().name.size()); }
  int read_what_is_not_there() const { return *never; }
  Task<> set_it() { co_await never.set(this_runtime(), 3); }

 private:
  int at_start_;
};

Task<std::string> said_by(Task<> waited) {
  try {
    co_await std::move(waited);
  } catch (const UsageError& error) {
    co_return error.what();
  }
  co_return "";
}
Task<> read_too_early(Element<Reader> reader) {
  static_cast<void>(co_await reader.call<&Reader::read_what_is_not_there>());
}
Task<> set_by_entry(Element<Reader> reader) { co_await reader.call<&Reader::set_it>(); }

Task<> set_first(Runtime& runtime) {
  Setting chosen{10, "abc", {1, 2}};
  co_await setting.set(runtime, std::move(chosen));
  co_await other.set(runtime, 100);
  CHECK(setting->name == "abc");
  const auto readers = co_await runtime.create<Reader>(9);
  CHECK_AWAITED(readers.call_all<&Reader::sum>(kaon::min), 115);
  CHECK_AWAITED(readers.call_all<&Reader::sum>(kaon::max), 115);
  const std::string of_reading = co_await said_by(read_too_early(readers[0]));
  CHECK(has(of_reading, "has not been set"));
}

Task<> set_late(Runtime& runtime) {
  Setting chosen;
  co_await setting.set(runtime, std::move(chosen));
  const std::string twice = co_await said_by(setting.set(runtime, Setting()));
  CHECK(has(twice, "is set already"));
  const ReadOnly<int> inside;
  const std::string local = co_await said_by(inside.set(runtime, 1));
  CHECK(has(local, "namespace scope"));
  const auto readers = co_await runtime.create<Reader>(3);
  const std::string late = co_await said_by(never.set(runtime, 1));
  CHECK(has(late, "when chares had been made"));
  const std::string by_entry = co_await said_by(set_by_entry(readers[2]));
  CHECK(has(by_entry, "when chares had been made"));
}

TEST_CASE("what main sets first is read on all PEs, also by constructors", "[chares][read_only]") {
  run_everywhere(&set_first);
}
TEST_CASE("a read-only value that is set twice, late or inside a function is an error", "[chares][read_only]") {
  run_everywhere(&set_late);
}

}  // namespace kaon::testing::read_only_values
