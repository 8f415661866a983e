// SPDX-License-Identifier: Apache-2.0
// threads: those that push to one PE
// What several threads do at once to one PE's inbound queue, waker and pool; ThreadSanitizer looks on.
#include <array>
#include <atomic>
#include <chrono>
#include <new>
#include <thread>
#include <vector>

#include "kaon/runtime/memory/pool.hpp"
#include "kaon/runtime/work/inbound_queue.hpp"
#include "kaon/runtime/work/waker.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::testing;

namespace {

constexpr int kProducers = 3;
constexpr int kPushes = 20'000;  // each
constexpr int kInFlight = 500;   // each, so that blocks travel home and are used again

struct Parcel : Work {
  int producer;
  int number;
};

/// A PE reduced to what other threads touch.
struct Station {
  explicit Station(std::uint16_t home) : pool(home) {}
  Pool pool;
  InboundQueue inbound;
  Waker waker;
};

class Traffic {
 public:
  void produce(int producer) {
    Station& home = producers_[static_cast<std::size_t>(producer)];
    for (int i = 0; i < kPushes; ++i) {
      while (i - taken_[static_cast<std::size_t>(producer)].load(std::memory_order_relaxed) >= kInFlight)
        std::this_thread::yield();
      auto* parcel = new (home.pool.allocate(sizeof(Parcel))) Parcel;
      parcel->producer = producer;
      parcel->number = i;
      if (consumer_.inbound.push(*parcel)) consumer_.waker.wake();
    }
  }

  void consume() {
    for (int left = kProducers * kPushes; left > 0;) {
      Work* work = consumer_.inbound.take_all();
      if (work == nullptr) sleep();
      while (work != nullptr) {
        Work* next = work->next;
        take(static_cast<Parcel&>(*work));
        work = next;
        --left;
      }
    }
  }

  int overtaken = 0;
  int missed_wakeups = 0;
  int sleeps = 0;

 private:
  void take(Parcel& parcel) {
    auto& taken = taken_[static_cast<std::size_t>(parcel.producer)];
    if (parcel.number != taken.load(std::memory_order_relaxed)) ++overtaken;
    Station& home = producers_[static_cast<std::size_t>(parcel.producer)];
    taken.store(parcel.number + 1, std::memory_order_relaxed);
    consumer_.pool.release_foreign(&parcel, sizeof(Parcel), home.pool);
  }

  void sleep() {
    consumer_.pool.send_chains_home();
    if (!consumer_.inbound.try_sleep()) return;
    ++sleeps;
    const auto reason = consumer_.waker.sleep(-1, std::chrono::seconds{10});
    const bool was_pushed = consumer_.inbound.wake();
    if (reason == Waker::Reason::time_out && was_pushed) ++missed_wakeups;
  }

  Station consumer_{0};
  std::array<Station, kProducers> producers_{Station{1}, Station{2}, Station{3}};
  std::array<std::atomic<int>, kProducers> taken_{};
};

}  // namespace

TEST_CASE("three threads push, one sleeps and takes, and blocks go home", "[runtime][threads]") {
  Traffic traffic;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kProducers; ++i) threads.emplace_back([&, i] { traffic.produce(i); });
    traffic.consume();
  }
  CHECK(traffic.overtaken == 0);
  CHECK(traffic.missed_wakeups == 0);
  CHECK(traffic.sleeps > 0);
}
