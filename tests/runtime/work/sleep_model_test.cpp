// SPDX-License-Identifier: Apache-2.0
// The protocol by which a PE falls asleep and others wake it, in every order of its atomic steps, and with weaker
// memory orders than it has.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kaon/runtime/work/inbound_queue.hpp"
#include "kaon/runtime/work/wake_word.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/interleavings.hpp"
#include "tests/support/sanitizers.hpp"

using namespace kaon::testing;

namespace {

constexpr std::size_t kMostPushes = 2;

/// As Waker: the word itself, and for each way to sleep whether the system has been asked to end it.
class ModelWaker {
 public:
  using Word = BasicWakeWord<ModelAtomic>;

  explicit ModelWaker(Word::State how) : how_(how) { Interleavings::watch(&is_signalled_); }
  void wake() {
    const Word::State was = word_.wake();
    if (was == how_) Interleavings::step([this] { return is_signalled_ = 1, 0; });
  }
  /// The port may end the sleep; a signal that comes then stays for the next, unless that waits for the word, which the
  /// system compares.
  void sleep(bool is_ended_by_port) {
    if (how_ == Word::waits) Interleavings::step([this] { return is_signalled_ = 0; });
    if (!word_.begin(how_)) return;
    if (!is_ended_by_port) {
      Interleavings::wait_until([this] { return is_signalled_ != 0; });
      Interleavings::step([this] { return is_signalled_ = 0; });
    }
    word_.end();
  }

 private:
  Word word_;
  Word::State how_;
  std::uintptr_t is_signalled_ = 0;
};

/// One consumer, which runs Parker::sleep between looks at its queue, and two producers.
template <class Queue>
class SleepModel {
 public:
  SleepModel(std::array<std::size_t, 2> pushes, std::size_t port_events, ModelWaker::Word::State how)
      : pushes_(pushes), port_events_(port_events), waker_(how) {
    for (const auto& works : works_)
      for (const Work& work : works) Interleavings::watch(&work.next);
  }

  Interleavings::Run run() {
    return {{[this] { consume(); }, [this] { produce(0); }, [this] { produce(1); }}, [this] { return fault(); }};
  }

 private:
  std::size_t total() const { return pushes_[0] + pushes_[1]; }

  void produce(std::size_t producer) {
    for (std::size_t i = 0; i < pushes_[producer]; Interleavings::summarize(++i)) {
      Interleavings::written(number_of(works_[producer][i]));
      if (queue_.push(works_[producer][i])) waker_.wake();
    }
  }

  void consume() {
    while (taken_ < total()) {
      for (Work* work = queue_.take_all(); work != nullptr;) {
        Interleavings::read(number_of(*work));
        Work* next = std::exchange(work->next, nullptr);
        order_[taken_++ % order_.size()] = work;
        work = next;
      }
      Interleavings::summarize(knowledge());
      if (taken_ < total()) sleep();
    }
  }

  void sleep() {
    if (!queue_.try_sleep()) return;
    if (happens()) {  // the port cannot be armed, there is something to progress
      queue_.wake();
      return;
    }
    waker_.sleep(happens());
    queue_.wake();
  }

  std::size_t number_of(const Work& work) const { return static_cast<std::size_t>(&work - works_.front().data()); }

  // What the consumer remembers: what it took, in order, and what it saw of the network.
  std::uintptr_t knowledge() const {
    std::uintptr_t number = port_events_;
    for (std::size_t i = 0; i < taken_ && i < order_.size(); ++i) number = 8 * number + 1 + number_of(*order_[i]);
    return number;
  }

  // Whether the network does something here; both are tried, as often as there are events left.
  bool happens() {
    if (port_events_ == 0 || Interleavings::pick(2) == 0) return false;
    --port_events_;
    return true;
  }

  std::string fault() const {
    if (taken_ != total())
      return "Work was taken " + std::to_string(taken_) + " times, pushed " + std::to_string(total());
    for (std::size_t producer = 0; producer < 2; ++producer) {
      auto at = order_.begin();
      for (std::size_t i = 0; i < pushes_[producer]; ++i, ++at)
        if ((at = std::find(at, order_.end(), &works_[producer][i])) == order_.end())
          return "Work was lost or overtaken";
    }
    return "";
  }

  std::array<std::size_t, 2> pushes_;
  std::size_t port_events_;
  std::array<std::array<Work, kMostPushes>, 2> works_;
  Queue queue_;
  ModelWaker waker_;
  std::array<const Work*, 2 * kMostPushes> order_{};
  std::size_t taken_ = 0;
};

template <class Queue>
std::string explore(std::array<std::size_t, 2> pushes, std::size_t port_events, Interleavings& interleavings,
                    ModelWaker::Word::State how = ModelWaker::Word::polls) {
  static std::optional<SleepModel<Queue>> model;  // one address in every run
  return interleavings.explore([&] {
    model.emplace(pushes, port_events, how);
    return model->run();
  });
}

/// Pushes arrive two by two: the first waits for the second.
class QueueOfPairs : public BasicInboundQueue<ModelAtomic> {
 public:
  bool push(Work& work) {
    if (first_ == nullptr) {
      first_ = &work;
      return false;
    }
    work.next = first_;
    return BasicInboundQueue::push(work, *std::exchange(first_, nullptr));
  }

 private:
  Work* first_ = nullptr;  // only one thread pushes
};

/// An atomic whose read-modify-writes of order `From` have order `To`.
template <std::memory_order From, std::memory_order To>
struct Weakened {
  template <class T>
  class Atomic : public ModelAtomic<T> {
   public:
    using ModelAtomic<T>::ModelAtomic;
    T exchange(T value, std::memory_order order) { return ModelAtomic<T>::exchange(value, weaker(order)); }
    bool compare_exchange_strong(T& expected, T value, std::memory_order yes, std::memory_order no) {
      return ModelAtomic<T>::compare_exchange_strong(expected, value, weaker(yes), no);
    }
    bool compare_exchange_weak(T& expected, T value, std::memory_order yes, std::memory_order no) {
      return ModelAtomic<T>::compare_exchange_weak(expected, value, weaker(yes), no);
    }

   private:
    static constexpr std::memory_order weaker(std::memory_order order) { return order == From ? To : order; }
  };
};

template <std::memory_order From, std::memory_order To>
using QueueWithWeaker = BasicInboundQueue<Weakened<From, To>::template Atomic>;

/// Wrong: the state of the consumer in a word of its own, written after the look at the queue.
class QueueWithSeparateFlag {
 public:
  bool push(Work& work) {
    queue_.push(work);
    return is_asleep_.load(std::memory_order_seq_cst);
  }
  Work* take_all() { return queue_.take_all(); }
  bool try_sleep() {
    if (queue_.has_work()) return false;
    is_asleep_.store(true, std::memory_order_relaxed);
    return true;
  }
  void wake() { is_asleep_.store(false, std::memory_order_relaxed); }

 protected:
  struct List {  // never asleep by itself
    bool push(Work& work) {
      Work* head = head_.load(std::memory_order_relaxed);
      do {
        work.next = head;
      } while (!head_.compare_exchange_weak(head, &work, std::memory_order_release, std::memory_order_relaxed));
      return false;
    }
    bool has_work() const { return head_.load(std::memory_order_relaxed) != nullptr; }
    Work* take_all() {
      Work* oldest = nullptr;
      for (Work* work = head_.exchange(nullptr, std::memory_order_acquire); work != nullptr;) {
        Work* next = std::exchange(work->next, oldest);
        oldest = std::exchange(work, next);
      }
      return oldest;
    }
    ModelAtomic<Work*> head_{nullptr};
  };
  List queue_;
  ModelAtomic<bool> is_asleep_{false};
};

/// Right with two words: the consumer looks at the queue again after it said that it sleeps.
class QueueThatLooksAgain : public QueueWithSeparateFlag {
 public:
  bool try_sleep() {
    is_asleep_.store(true, std::memory_order_seq_cst);
    if (!queue_.has_work()) return true;
    wake();
    return false;
  }
};

/// Wrong: waking overwrites what was pushed meanwhile.
class QueueThatForgets : public BasicInboundQueue<ModelAtomic> {
 public:
  void wake() {
    BasicInboundQueue::wake();
    take_all();
  }
};

}  // namespace

TEST_CASE("in every interleaving all Work is taken and nobody sleeps for ever", "[runtime][sleep_model]") {
  if (kaon::testing::kHasThreadSanitizer) return;  // one thread, whose fibres it would take for the same stack
  const std::size_t first = GENERATE(1u, 2u), second = GENERATE(1u, 2u), port_events = GENERATE(0u, 1u, 2u);
  const auto how = GENERATE(ModelWaker::Word::waits, ModelWaker::Word::polls);
  Interleavings interleavings;
  CHECK(explore<BasicInboundQueue<ModelAtomic>>({first, second}, port_events, interleavings, how) == "");
  CHECK(interleavings.states() > 100);
  CHECK(interleavings.runs() < 1'000'000);
}

TEST_CASE("lists of Work are taken whole in every interleaving", "[runtime][sleep_model]") {
  if (kaon::testing::kHasThreadSanitizer) return;
  Interleavings interleavings;
  CHECK(explore<QueueOfPairs>({2, 0}, 2, interleavings) == "");
  CHECK(interleavings.states() > 20);
}

TEST_CASE("a push that does not release lets Work be read before it is written", "[runtime][sleep_model]") {
  if (kaon::testing::kHasThreadSanitizer) return;
  using Queue = QueueWithWeaker<std::memory_order_release, std::memory_order_relaxed>;
  Interleavings interleavings;
  CHECK(explore<Queue>({1, 1}, 0, interleavings) == "a thread reads what it may not see yet");
}

TEST_CASE("a take that does not acquire reads Work before it is written", "[runtime][sleep_model]") {
  if (kaon::testing::kHasThreadSanitizer) return;
  using Queue = QueueWithWeaker<std::memory_order_acquire, std::memory_order_relaxed>;
  Interleavings interleavings;
  CHECK(explore<Queue>({1, 0}, 0, interleavings) == "a thread reads what it may not see yet");
}

TEST_CASE("falling asleep and waking hand nothing over, so that no order is asked of them", "[runtime][sleep_model]") {
  if (kaon::testing::kHasThreadSanitizer) return;
  using Queue = QueueWithWeaker<std::memory_order_acq_rel, std::memory_order_relaxed>;
  Interleavings interleavings;
  CHECK(explore<Queue>({2, 1}, 2, interleavings) == "");
}

TEST_CASE("the search finds a wake-up that is lost", "[runtime][sleep_model]") {
  if (kaon::testing::kHasThreadSanitizer) return;
  Interleavings interleavings;
  CHECK(explore<QueueWithSeparateFlag>({1, 1}, 0, interleavings) == "a thread waits for ever");
}

TEST_CASE("the search finds Work that is lost", "[runtime][sleep_model]") {
  if (kaon::testing::kHasThreadSanitizer) return;
  Interleavings interleavings;
  CHECK(explore<QueueThatForgets>({1, 1}, 0, interleavings) != "");
}

TEST_CASE("the search does not take a right protocol of two words for a wrong one", "[runtime][sleep_model]") {
  if (kaon::testing::kHasThreadSanitizer) return;
  Interleavings interleavings;
  CHECK(explore<QueueThatLooksAgain>({2, 1}, 1, interleavings) == "");
}
