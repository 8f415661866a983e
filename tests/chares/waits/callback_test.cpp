// SPDX-License-Identifier: Apache-2.0
// Callbacks to entries of elements and arrays, and to functions: kept, sent on, and told from any PE.
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "kaon/testing/scene.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::callbacks {

static_assert(sizeof(Callback<int>) == 24 && std::is_trivially_copyable_v<Callback<int, double>>);

struct Note {
  int key;
  std::string text;
};

class Target : public Chare<Target> {
 public:
  Inbox<Note, &Note::key> notes;

  void done() { ++done_; }
  void add(long by) { sum_ += by; }
  void name(const std::string& text, int times) {
    for (int i = 0; i < times; ++i) text_ += text;
  }
  Task<> add_later(long by) {
    co_await this_runtime().sleep_for(std::chrono::microseconds(5));
    sum_ += by;
  }
  void bulk(Payload<int> values) { sum_ += values.view().back(); }
  void leave() { migrate_to((pe() + 1) % this_runtime().pes()); }
  void fail(int) { throw UsageError("told to fail"); }
  Task<std::string> note(int key) {
    const Note note = co_await notes.when(key);
    co_return note.text;
  }

  int times_done() const { return done_; }
  long sum() const { return sum_; }
  std::string text() const { return text_; }

  template <class Archive>
  void pup(Archive& archive) {
    archive(done_, sum_, text_, notes);
  }

 private:
  int done_ = 0;
  long sum_ = 0;
  std::string text_;
};

/// Knows nothing of who is to be told.
class Teller : public Chare<Teller> {
 public:
  void keep(Callback<long> callback, std::vector<Callback<>> ends) {
    kept_ = callback;
    ends_ = std::move(ends);
  }
  void tell(long value) {
    kept_(value);
    for (const Callback<>& end : ends_) end.send();
  }
  void tell_at_once(Callback<std::string, int> callback, const std::string& text) { callback(text, 2); }
  void tell_many(Callback<Payload<int>> callback, int size) {
    callback(Payload<int>(std::vector<int>(static_cast<std::size_t>(size), 7)));
  }

 private:
  Callback<long> kept_;
  std::vector<Callback<>> ends_;
};

Task<> tell_elements(Runtime& runtime) {
  const auto targets = co_await runtime.create<Target>(7);
  const auto tellers = co_await runtime.create<Teller>(5);
  for (int i = 0; i < 5; ++i) {
    const auto to = i % 2 == 0 ? callback<&Target::add>(targets[i]) : callback<&Target::add_later>(targets[i]);
    std::vector<Callback<>> ends{callback<&Target::done>(targets[6]), callback<&Target::done>(targets)};
    tellers[i].send<&Teller::keep>(to, std::move(ends));
  }
  co_await runtime.quiescence();
  for (int i = 0; i < 5; ++i) tellers[i].send<&Teller::tell>(10L + i);
  co_await runtime.quiescence();
  for (int i = 0; i < 5; ++i) CHECK_AWAITED(targets[i].call<&Target::sum>(), 10 + i);
  CHECK_AWAITED(targets[6].call<&Target::times_done>(), 10);
  CHECK_AWAITED(targets[0].call<&Target::times_done>(), 5);
  CHECK_AWAITED(targets.call_all<&Target::times_done>(sum), 7 * 5 + 5);
}

Task<> tell_values_of_every_kind(Runtime& runtime) {
  const auto targets = co_await runtime.create<Target>(4);
  const auto tellers = co_await runtime.create<Teller>(4);
  const std::string word = "ab";
  tellers[3].send<&Teller::tell_at_once>(callback<&Target::name>(targets[1]), word);
  tellers[2].send<&Teller::tell_at_once>(callback<&Target::name>(targets), word);
  tellers[0].send<&Teller::tell_many>(callback<&Target::bulk>(targets[3]), 5000);
  const Callback<int> from_int = callback<&Target::add, int>(targets[2]);  // an int becomes the entry's long
  from_int(5);
  callback<&Target::notes>(targets[0])(Note{3, "kept"});
  co_await runtime.quiescence();
  const std::string twice = co_await targets[1].call<&Target::text>();
  const std::string once = co_await targets[2].call<&Target::text>();
  CHECK(twice == "abababab");
  CHECK(once == "abab");
  CHECK_AWAITED(targets[3].call<&Target::sum>(), 7);
  CHECK_AWAITED(targets[2].call<&Target::sum>(), 5);
  const std::string noted = co_await targets[0].call<&Target::note>(3);
  CHECK(noted == "kept");
}

Task<> tell_a_section(Runtime& runtime) {
  const auto targets = co_await runtime.create<Target>(9);
  std::vector<Index> members{Index(1), Index(4), Index(8)};
  const auto some = co_await targets.section(std::move(members));
  callback<&Target::add>(some)(3);
  co_await runtime.quiescence();
  CHECK_AWAITED(targets.call_all<&Target::sum>(sum), 9);
  CHECK_AWAITED(some.call_all<&Target::sum>(sum), 9);
}

Task<> follow_who_moves(Runtime& runtime) {
  const auto targets = co_await runtime.create<Target>(3);
  const Callback<long> to = callback<&Target::add>(targets[1]);
  for (int i = 0; i < 10; ++i) {
    targets[1].send<&Target::leave>();
    to(1);
  }
  co_await runtime.quiescence();
  CHECK_AWAITED(targets[1].call<&Target::sum>(), 10);
}

// What functions were told, by PE; each PE writes its own. One thread runs all of them.
std::vector<std::string> told;
void forget_told() { told.assign(16, {}); }

void note_text(Runtime& runtime, const std::string& text) { told[runtime.pe()] += text; }
void note_nothing() noexcept { told[this_runtime().pe()] += "!"; }

Task<> run_functions(Runtime& runtime) {
  const auto tellers = co_await runtime.create<Teller>(static_cast<int>(runtime.pes()));
  const PeId last = runtime.pes() - 1;
  tellers[0].send<&Teller::keep>(Callback<long>(), std::vector<Callback<>>{});
  const Callback<std::string> to_last = callback<&note_text>(last);
  to_last("a");
  to_last(std::string("b"));
  callback<&note_nothing>(0)();
  co_await runtime.quiescence();
  CHECK(told[last].find('a') != std::string::npos);
  CHECK(told[last].find('b') != std::string::npos);
  CHECK(told[0].find('!') != std::string::npos);
}

Task<> misuse(Runtime& runtime) {
  const auto targets = co_await runtime.create<Target>(2);
  CHECK(has(thrown<UsageError>([] { Callback<int>()(1); }), "a callback that names nothing"));
  CHECK(has(thrown<UsageError>([&] { (void)callback<&note_nothing>(runtime.pes()); }), "the run has PEs 0 to "));
  CHECK(callback<&Target::add>(targets[1]) == callback<&Target::add>(targets[1]));
  CHECK(callback<&Target::add>(targets[1]) != callback<&Target::add>(targets[0]));
  CHECK(callback<&Target::add>(targets[1]) != callback<&Target::add_later>(targets[1]));
  CHECK_FALSE(Callback<>());
  CHECK(callback<&Target::done>(targets));
  co_await targets.destroy_and_wait();
  CHECK(has(thrown<UsageError>([&] { callback<&Target::done>(targets)(); }), "destroyed"));
}

Task<> fail_there(Runtime& runtime) {
  const auto targets = co_await runtime.create<Target>(4);
  callback<&Target::fail>(targets[3])(1);
  co_await runtime.quiescence();
}

std::vector<std::byte> bytes_of(const Callback<>& callback) {
  std::vector<std::byte> bytes(64);
  Writer out(bytes.data(), bytes.size());
  out(callback);
  bytes.resize(out.bytes());
  return bytes;
}

template <class C>
C read(const std::vector<std::byte>& bytes) {
  C callback;
  Reader in(bytes.data(), bytes.size());
  in(callback);
  return callback;
}

Task<> read_back(Runtime& runtime) {
  const auto targets = co_await runtime.create<Target>(1);
  const Callback<> to = callback<&Target::done>(targets[0]);
  std::vector<std::byte> bytes = bytes_of(to);
  CHECK(read<Callback<>>(bytes) == to);
  CHECK(read<Callback<>>(bytes_of({})) == Callback<>());
  CHECK_THROWS_AS(read<Callback<long>>(bytes), CorruptMessage);  // it takes nothing
  const std::uint32_t beyond = 1u << 30;
  std::memcpy(bytes.data(), &beyond, sizeof beyond);
  CHECK_THROWS_AS(read<Callback<>>(bytes), CorruptMessage);
}

TEST_CASE("callbacks that are kept and sent reach entries of elements and arrays", "[chares][callback]") {
  run_everywhere(tell_elements);
}
TEST_CASE("callbacks take values of every kind, and what converts to them", "[chares][callback]") {
  run_everywhere(tell_values_of_every_kind);
}
TEST_CASE("a callback reaches the members of a section", "[chares][callback]") { run_everywhere(tell_a_section); }
TEST_CASE("a callback follows its element", "[chares][callback]") { run_everywhere(follow_who_moves); }
TEST_CASE("a callback runs a function on a PE", "[chares][callback]") { run_everywhere(run_functions, forget_told); }
TEST_CASE("callbacks of nothing, to nowhere and to what is gone are refused", "[chares][callback]") {
  run_everywhere(misuse);
}
TEST_CASE("what an entry throws that a callback ran ends the run", "[chares][callback]") {
  CHECK(has(thrown<kaon::UsageError>([] { Scene({2, 2}).run(fail_there); }), "told to fail"));
}
TEST_CASE("a callback is read back, and one that makes no sense is not", "[chares][callback]") {
  Scene().run(read_back);
}

}  // namespace kaon::testing::callbacks
