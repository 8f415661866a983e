// SPDX-License-Identifier: Apache-2.0
// Fails in the way that its argument names; with `wait` it says who runs where, then waits to be ended.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <kaon/kaon.hpp>

namespace failing {

class Victim : public kaon::Chare<Victim> {
 public:
  void fail(int) { throw std::runtime_error("the entry gave up"); }
  kaon::Task<int> fail_later(int) {
    co_await kaon::this_runtime().sleep_for(std::chrono::milliseconds(1));
    throw std::runtime_error("the task gave up");
  }
  void say_ready() {
    std::printf("ready %d pid %d\n", kaon::this_runtime().process(), static_cast<int>(getpid()));
    std::fflush(stdout);
  }
  void compute_for_ever() {
    say_ready();
    for (std::atomic<unsigned> turns = 0;;) turns.fetch_add(1, std::memory_order_relaxed);
  }
  kaon::Task<> wait_for_word() { co_await words.next(); }
  kaon::Inbox<int> words;
  void take(std::vector<int>) {}
  void crash(const std::string& how) { crash_now(how); }
  kaon::Task<> crash_later(std::string how) {
    co_await self().call<&Victim::say_nothing>();
    crash_now(how);
  }
  void say_nothing() {}
  bool agrees() const { return true; }
  void fill() {
    for (int i = 0; i < 1'000'000; ++i) array()[0].send<&Victim::take>(std::vector<int>(1000));
  }

  // A gibibyte that is used, for tests that let it have less.
  void hoard() {
    std::vector<std::vector<char>> blocks;
    for (int i = 0; i < 1024; ++i) blocks.emplace_back(std::size_t{1} << 20, 'x');
    throw std::runtime_error("nobody minded " + std::to_string(blocks.size()) + " MiB");
  }

 private:
  static void crash_now(const std::string& how) {
    static volatile int zero = 0;
    static int* volatile nowhere = nullptr;
    if (how == "segv") *nowhere = 1;
    if (how == "fpe") zero = 100 / zero;
    if (how == "ill") __builtin_trap();
    if (how == "abort") std::abort();
    if (how == "bus") std::raise(SIGBUS);
    if (how == "overflow") std::printf("%d\n", deeper(1));
  }
  static int deeper(int depth) {
    volatile char frame[512] = {static_cast<char>(depth)};
    const int below = depth > 0 ? deeper(depth + 1) : 0;
    return below + frame[0];
  }
};

class Stone : public kaon::Chare<Stone> {
 public:
  template <class Archive>
  void pup(Archive&) {
    throw std::runtime_error("it stays");
  }
  void go(kaon::PeId to) { migrate_to(to); }
};

/// Without a variable of its own: g++ 12 makes a coroutine of it that does nothing.
kaon::Task<> ask_in_condition(kaon::Element<Victim> whom) {
  if (co_await whom.call<&Victim::agrees>()) whom.send<&Victim::fail>(1);
}

kaon::Task<int> fail(kaon::Runtime& runtime, const std::vector<std::string>& arguments) {
  const std::string how = arguments.at(0);
  const auto victims = co_await runtime.create_group<Victim>();
  const int last = static_cast<int>(runtime.pes()) - 1;
  if (how == "entry") victims[last].send<&Victim::fail>(1);
  if (how == "task") co_await victims[last].call<&Victim::fail_later>(1);
  if (how == "move") (co_await runtime.create<Stone>(1))[0].send<&Stone::go>(runtime.pes() - 1);
  if (how == "memory") throw std::bad_alloc();
  if (how == "print") std::printf("a line\n");
  if (how == "print" || how == "return") co_return arguments.size() > 1 ? std::stoi(arguments[1]) : 0;
  if (how == "main") throw std::runtime_error("the main task gave up");
  if (how == "outside") victims[last + 1].send<&Victim::fail>(1);
  if (how == "stuck") co_await victims[last].call<&Victim::wait_for_word>();
  if (how == "crash") victims[last].send<&Victim::crash>(arguments.at(1));
  if (how == "crash later") victims[last].send<&Victim::crash_later>(arguments.at(1));
  if (how == "word") victims[last].send<&Victim::words>(1);
  if (how == "wait") victims.broadcast<&Victim::say_ready>();
  if (how == "busy") victims.broadcast<&Victim::compute_for_ever>();
  if (how == "condition") co_await ask_in_condition(victims[last]);
  if (how == "hoard") victims[last].send<&Victim::hoard>();
  if (how == "full") {
    victims[0].send<&Victim::compute_for_ever>();
    victims[last].send<&Victim::fill>();
  }
  co_await runtime.sleep_for(std::chrono::minutes(5));
  co_return 0;
}

}  // namespace failing

int main(int argc, char** argv) { return kaon::run(argc, argv, failing::fail); }
