// SPDX-License-Identifier: Apache-2.0
// A run whose memory ends. `start N`, `run N`: the N-th allocation from the start of main(), or of each process from
// the first entry on, and all behind it find none. `pieces WHERE`: small pieces use up what a limit of the system
// leaves. `connect KIB`: process 1 can map so much when it first connects to process 2. `count`: nothing ends, and the
// allocations of process 0 are printed.
#include <sys/resource.h>

#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>
#include <vector>

#include <kaon/kaon.hpp>

namespace memory_end {

std::atomic<long> left{LONG_MAX};  // allocations that succeed; relaxed: it orders nothing

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (left.fetch_sub(1, std::memory_order_relaxed) <= 0) {
    left.store(0, std::memory_order_relaxed);
    return nullptr;
  }
  const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, whole != 0 ? whole : alignment);
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* memory = allocate(bytes, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace memory_end

// clang's ThreadSanitizer links these functions into each program itself; its builds run no test of this program.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MEMORY_END_IS_ANOTHERS
#endif
#endif

#ifndef MEMORY_END_IS_ANOTHERS
// The other forms of the standard library call these. Not inline: g++ takes what is new for what is freed otherwise.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return memory_end::allocate_or_throw(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return memory_end::allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
#endif

namespace memory_end {

void let_end_after(long count) { left.store(count, std::memory_order_relaxed); }

struct Piece {
  Piece* next;
  char rest[40];
};

/// Limits the address space of this process to what it has now and `room` bytes.
void limit_address_space(std::size_t room) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t most = pages * 4096 + room;
  const rlimit limit{most, most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::exit(9);
}

/// In pieces so small that what is left is of no use for anything else. Throws std::bad_alloc.
[[noreturn]] void take_all() {
  constexpr std::size_t kRoom = std::size_t{24} << 20;
  limit_address_space(kRoom);
  static std::atomic<Piece*> pieces;
  for (;;) pieces = new Piece{pieces, {}};
}

class Node : public kaon::Chare<Node> {
 public:
  kaon::Inbox<std::string> words;

  int arm(long count) {
    if (kaon::this_runtime().pe() % 2 == 0) let_end_after(count);  // two PEs of each process
    return 1;
  }
  void take(std::vector<int> values) { sum_ += static_cast<long>(values.size()); }
  void take_payload(kaon::Payload<int> values) { sum_ += static_cast<long>(values.view().size()); }
  void remember(int key) { keys_.emplace_back(std::to_string(key) + " of the keys that this element remembers"); }
  std::string text(int size) { return std::string(static_cast<std::size_t>(size), 'x'); }
  kaon::Task<int> deeper(int depth) {
    if (depth == 0) co_return 1;
    co_return co_await deeper(depth - 1) + 1;
  }
  kaon::Task<long> work(int round) {
    const int count = array().shape().x;
    for (int to = 0; to < count; ++to) {
      array()[to].send<&Node::take>(std::vector<int>(static_cast<std::size_t>(1 + (round * 97) % 3000)));
      array()[to].send<&Node::take_payload>(kaon::Payload<int>(std::vector<int>(5000)));
      array()[to].send<&Node::remember>(round);
      array()[to].send<&Node::words>("a word that is longer than what a string holds by itself");
    }
    std::string word;
    for (int from = 0; from < count; ++from) word = co_await words.next();
    const std::string other = co_await array()[(index().x + 1) % count].call<&Node::text>(1000 + round);
    co_await kaon::this_runtime().sleep_for(std::chrono::microseconds(10));
    const std::string copy = co_await kaon::on_helper_thread([] { return std::string(100, 'h'); });
    co_return co_await deeper(20) + static_cast<long>(other.size() + copy.size());
  }
  void wander(int moves) {
    if (moves == 0) return;
    array()[index().x].send<&Node::wander>(moves - 1);
    migrate_to((pe() + 1) % kaon::this_runtime().pes());
  }
  int take_all_and_go_on() {
    try {
      if (kaon::this_runtime().pe() % 2 == 0) take_all();
    } catch (const std::bad_alloc&) {
    }
    return 1;
  }
  kaon::Task<int> connect(std::size_t kib, int to) {
    limit_address_space(kib << 10);
    const std::string text = co_await array()[to].call<&Node::text>(1);
    co_return static_cast<int>(text.size());
  }
  void take_all_in_entry(int) { take_all(); }
  /// As a library does that uses what it was not given.
  void crash_without_memory(int) {
    static int* volatile nowhere = nullptr;
    take_all_and_go_on();
    *nowhere = 1;
  }
  kaon::Task<int> take_all_in_task(int) {
    co_await kaon::this_runtime().sleep_for(std::chrono::microseconds(10));
    take_all();
    co_return 0;
  }

  template <class Archive>
  void pup(Archive& archive) {
    archive(sum_, keys_, words);
  }

 private:
  long sum_ = 0;
  std::vector<std::string> keys_;
};

kaon::Task<> work(kaon::Runtime& runtime, int rounds) {
  const auto nodes = co_await runtime.create<Node>(2 * static_cast<int>(runtime.pes()));
  for (int round = 0; round < rounds; ++round) {
    co_await nodes.call_all<&Node::work>(kaon::sum, round);
    nodes.broadcast<&Node::wander>(2);
    co_await runtime.quiescence();
  }
}

kaon::Task<int> run(kaon::Runtime& runtime, const std::vector<std::string>& arguments) {
  const std::string& how = arguments.at(0);
  const auto group = co_await runtime.create_group<Node>();
  const int last = static_cast<int>(runtime.pes()) - 1;
  if (how == "run") co_await group.call_all<&Node::arm>(kaon::sum, std::stol(arguments.at(1)));
  if (how == "pieces" && arguments.at(1) == "before") co_await group.call_all<&Node::take_all_and_go_on>(kaon::sum);
  if (how == "pieces" && arguments.at(1) == "main") take_all();
  if (how == "pieces" && arguments.at(1) == "crash") group[last - 1].send<&Node::crash_without_memory>(1);
  if (how == "pieces" && arguments.at(1) == "entry") group[last].send<&Node::take_all_in_entry>(1);
  if (how == "pieces" && arguments.at(1) == "task") co_await group[last].call<&Node::take_all_in_task>(1);
  if (how == "pieces" && arguments.at(1) == "helper") co_await kaon::on_helper_thread([] { take_all(); });
  if (how == "connect") co_return co_await group[1].call<&Node::connect>(std::stoul(arguments.at(1)), 2) - 1;
  const long before = left.load();
  co_await work(runtime, 3);
  if (how == "count") std::printf("%ld %ld\n", LONG_MAX - before, LONG_MAX - left.load());
  co_return 0;
}

}  // namespace memory_end

int main(int argc, char** argv) {
  if (argc > 2 && std::string(argv[1]) == "start") memory_end::let_end_after(std::stol(argv[2]));
  return kaon::run(argc, argv, memory_end::run);
}
