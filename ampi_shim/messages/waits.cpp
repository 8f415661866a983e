// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/waits.hpp"

#include <string>
#include <thread>

#include "kaon/ampi_shim/messages/departures.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/ampi_shim/ranks/world.hpp"
#include "kaon/runtime/base/ticks.hpp"
#include "kaon/runtime/exchange/exchange.hpp"

namespace kaon::ampi {
namespace {

/// The wait until so many of some requests have completed.
class CompletionWait final : public RequestObserver {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;

  /// `all`: until all have; else until one has.
  CompletionWait(std::span<Request* const> requests, bool all) : requests_(requests), waits_for_all_(all) {}
  CompletionWait(const CompletionWait&) = delete;
  CompletionWait& operator=(const CompletionWait&) = delete;

  bool is_ready() const {
    bool is_any_active = false, is_any_complete = false;
    for (const Request* request : requests_) {
      if (request == nullptr) continue;
      is_any_active |= request->is_active();
      is_any_complete |= request->is_complete();
    }
    return !is_any_active || (!waits_for_all_ && is_any_complete);
  }
  bool start(Waiter& waiter) {
    waiter_ = &static_cast<StackWaiter&>(waiter);
    int active = 0;
    for (Request* request : requests_) {
      if (request == nullptr || !request->is_active()) continue;
      request->observe(this);
      ++active;
    }
    missing_ = waits_for_all_ ? active : 1;
    return false;
  }
  void give_up(Waiter&) noexcept { forget(); }
  void take() { forget(); }
  void completed(Request&) override {
    if (--missing_ == 0) waiter_->make_ready();
  }
  std::string describe() const {
    std::size_t active = 0;
    const Request* first = nullptr;
    for (const Request* request : requests_) {
      if (request == nullptr || !request->is_active()) continue;
      if (active++ == 0) first = request;
    }
    if (first == nullptr) return "for requests";
    if (active == 1) return first->describe();
    return (waits_for_all_ ? "for " : "for one of ") + std::to_string(active) + " requests, the first " +
           first->describe();
  }

 private:
  void forget() noexcept {
    for (Request* request : requests_)
      if (request != nullptr && request->is_active()) request->observe(nullptr);
  }

  std::span<Request* const> requests_;
  bool waits_for_all_;
  int missing_ = 0;
  StackWaiter* waiter_ = nullptr;
};

void wait(std::span<Request* const> requests, bool all) { current_strand().wait(CompletionWait(requests, all)); }

}  // namespace

void wait_for_all(Rank&, std::span<Request* const> requests) { wait(requests, true); }
void wait_for_any(Rank&, std::span<Request* const> requests) { wait(requests, false); }

// The first send of a turn costs nothing where no other rank would send before the next wait: it would leave there.
void let_leave(Rank& rank) {
  Pe& pe = rank.scheduler();
  Departures& departures = Departures::here();
  Strand* const strand = current_strand_or_null();
  if (departures.take_sends()) {
    const bool is_free = strand != nullptr && strand->is_first_of_turn() && pe.ready_count() == 0;
    if (is_free || departures.take(runtime::ticks())) pe.flush();
  }
  if (strand == nullptr) return;
  if (pe.exchange().awaits_progress()) [[unlikely]]
    strand->move_network();
  if (!strand->is_in_operation() && departures.is_turn_over()) [[unlikely]]
    strand->yield();
}

// A PE whose ranks test in loops is never idle: where PEs share cores it would keep one from that whose message it
// looks for, for as long as the system lets it.
void give_way(Rank& rank) {
  constexpr int kTurns = 16;  // in vain; of any ranks of the PE
  thread_local int turns = 0;
  if (rank.world().options().is_crowded && ++turns % kTurns == 0) std::this_thread::yield();
  Strand& strand = current_strand();
  if (strand.is_in_operation()) [[unlikely]]
    strand.refuse_to_wait("for a message or a request");
  strand.yield();
}

}  // namespace kaon::ampi
