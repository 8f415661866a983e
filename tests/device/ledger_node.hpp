// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/ledger.kernels.hpp"

namespace kaon::testing::ledger_node {

using Ledgers = gpu::Resident<LedgerEntries>;
using Object = gpu::DeviceObject<Ledger>;

/// The offer and the ledger that the other side of a link must know.
struct LedgerOffer {
  gpu::ResidentOffer offer;
  Object ledger;

  template <class Archive>
  void pup(Archive& archive) {
    archive(offer, ledger);
  }
};

/// The number of notifications that all clerks have received, to be read without a message to a clerk.
inline std::atomic<std::uint32_t> heard_by_all{0};

/// One for each PE of a process: all enter into one ledger of the resident scheduler that they share.
class Clerk : public Chare<Clerk> {
 public:
  /// Gives the workers that there are.
  unsigned join(unsigned workers, double idle_us, unsigned held) { return join_with({}, workers, idle_us, held); }
  /// The kernel waits for hours for who does not take what it is told.
  unsigned join_with_patience() {
    gpu::ResidentOptions options;
    options.patience_s = 1e5;
    return join_with(options, 3, 1000, 64);
  }
  void leave() { ledgers_ = nullptr; }
  Task<Object> open() { co_return co_await ledgers_->make(Ledger{}); }
  Task<> use(Object ledger) {
    ledger_ = ledger;
    const auto told = ledgers_->on_host<std::uint32_t>([this](std::uint32_t pe) {
      if (pe == number()) ++heard_, ++heard_by_all;
    });
    co_await ledgers_->call(ledger_, Introduce{number(), told});
  }
  /// Receives one notification, gives the scheduler up, and asks for it again.
  Task<> listen_once() {
    const auto told = ledgers_->on_host<std::uint32_t>([this](std::uint32_t) {
      ++heard_;
      ledgers_ = nullptr;
      join(1, 0, 64);
    });
    co_await ledgers_->call(ledger_, Introduce{number(), told});
  }
  /// Returns the error of making more targets than there may be.
  std::string make_targets() {
    return error_of([this] {
      for (std::uint32_t i = 0; i < 1U << 16; ++i) (void)ledgers_->on_host<std::uint32_t>([](std::uint32_t) {});
    });
  }
  std::string refusal_to_join() {
    return error_of([this] { join(1, 1000, 64); });
  }
  /// Returns the total of a ledger that another clerk has opened.
  Task<std::uint64_t> total_of(Object ledger) {
    const LedgerSums sums = co_await ledgers_->call(ledger, Sum{});
    co_return sums.total;
  }
  /// Entries are to tell a target that another scheduler of this PE has made.
  Task<> introduce_stranger() {
    gpu::ResidentOptions options;
    options.workers = 1;
    options.threads = 64;
    stranger_.emplace(options);
    const Introduce introduce{number(), stranger_->on_host<std::uint32_t>([](std::uint32_t) {})};
    co_await ledgers_->call(ledger_, introduce);
  }
  void repeat(std::uint32_t times, std::uint32_t whom) { ledgers_->send(ledger_, Repeat{times, whom}); }
  /// Goes before what it awaits has arrived.
  Task<> await_and_leave() {
    const gpu::DeviceFlag flag = co_await ledgers_->make_flag();
    ledgers_->send(ledger_, Await{flag.word(), 1});
    flag.arrival().expect();
    leave();
    flag.arrival().arrived();
  }
  void enter(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) ledgers_->send(ledger_, Enter{number(), next_++});
    most_waiting_ = std::max(most_waiting_, ledgers_->waiting());
  }
  Task<> ask(std::uint32_t count) {
    std::uint64_t last = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Enter next{number(), next_++};
      const std::uint64_t total = co_await ledgers_->call(ledger_, next);
      if (total > std::exchange(last, total)) ++answers_;
    }
  }
  void spread(std::uint32_t depth, std::uint32_t whom) { ledgers_->send(ledger_, Spread{depth, whom}); }
  /// Adds to it on the host.
  Task<> amend(std::uint64_t amount) {
    const gpu::ObjectLock lock = co_await ledgers_->lock(ledger_);
    gpu::Stream stream;
    gpu::Pinned<Ledger> seen(1, stream);
    stream.copy(seen, gpu::Span<const Ledger>(ledger_.object, 1));
    co_await stream.drained();
    seen[0].total += amount;
    stream.copy(gpu::Span<Ledger>(ledger_.object, 1), seen);
    co_await stream.drained();
  }
  Task<> await_flag(std::uint32_t times) {
    const gpu::DeviceFlag flag = co_await ledgers_->make_flag();
    ledgers_->send(ledger_, Await{flag.word(), times});
    for (std::uint32_t i = 0; i < times; ++i) ledgers_->raise(flag);
  }
  Task<std::uint64_t> total() { co_return (co_await sums()).total; }
  Task<std::uint32_t> wrong() { co_return (co_await sums()).wrong; }
  Task<std::uint32_t> urgent() { co_return (co_await sums()).urgent; }
  void hasten(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) ledgers_->send(ledger_, Hasten{});
  }
  std::uint32_t heard() const { return heard_; }
  std::uint32_t answers() const { return answers_; }
  std::uint64_t most_waiting() const { return most_waiting_; }
  /// Returns the error of moving a buffer to another PE's stream, and gives the buffer to the scheduler instead.
  std::string keep_buffer() {
    gpu::Stream stream;
    gpu::Buffer<int> buffer(16, stream);
    std::string text = error_of([&] { buffer.move_to(ledgers_->stream()); });
    ledgers_->keep(std::move(buffer));
    return text;
  }
  Task<LedgerOffer> offer() {
    link_ = co_await ledgers_->make_link();
    const LedgerOffer mine{link_->offer(), ledger_};
    co_return mine;
  }
  Task<> meet(LedgerOffer theirs) {
    const gpu::ResidentPeer peer = co_await ledgers_->connect(*link_, theirs.offer);
    const MeetLedger meeting{peer.object(theirs.ledger)};
    co_await ledgers_->call(ledger_, meeting);
  }
  void forward(std::uint32_t depth, std::uint32_t whom) { ledgers_->send(ledger_, Forward{depth, whom}); }
  Task<std::string> refused_link() {
    std::string text;
    try {
      co_await ledgers_->make_link();
    } catch (const UsageError& error) {
      text = error.what();
    }
    co_return text;
  }
  /// Returns the error of sending to a ledger that this clerk cannot use.
  std::string refusal(Object ledger) const {
    return error_of([&] { ledgers_->send(ledger, Hasten{}); });
  }
  std::uint64_t most_workers() const { return Ledgers::most_workers_by_process(64); }

 private:
  unsigned join_with(gpu::ResidentOptions options, unsigned workers, double idle_us, unsigned held) {
    options.workers = workers;
    options.threads = 64;
    options.ring = 4;
    options.held = held;
    options.idle_us = idle_us;
    ledgers_ = Ledgers::shared_by_process(options);
    return ledgers_->options().workers;
  }
  template <class Act>
  static std::string error_of(Act act) {
    try {
      act();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
  std::uint32_t number() const { return static_cast<std::uint32_t>(index().x); }
  Task<LedgerSums> sums() { co_return co_await ledgers_->call(ledger_, Sum{}); }

  std::shared_ptr<Ledgers> ledgers_;
  std::optional<Ledgers> stranger_;
  std::optional<gpu::ResidentLink> link_;
  Object ledger_;
  std::uint32_t next_ = 0, heard_ = 0, answers_ = 0;
  std::size_t most_waiting_ = 0;
};

/// Collects the values that are not as expected, as text for people.
class Findings {
 public:
  void expect(const std::string& what, std::uint64_t got, std::uint64_t expected) {
    if (got != expected) text_ += what + ": " + std::to_string(got) + ", not " + std::to_string(expected) + "; ";
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// All join, the PE `owner` first, and use the ledger that the PE before that has made.
template <class Clerks>
Task<> open_ledger(const Clerks& clerks, std::uint32_t pes, std::uint32_t owner, double idle_us, unsigned held = 1024) {
  co_await clerks[static_cast<int>(owner)].template call<&Clerk::join>(3U, idle_us, held);
  for (int i = 0; i < static_cast<int>(pes); ++i) co_await clerks[i].template call<&Clerk::join>(2U, idle_us, held);
  const Object ledger = co_await clerks[static_cast<int>((owner + pes - 1) % pes)].template call<&Clerk::open>();
  for (int i = 0; i < static_cast<int>(pes); ++i) co_await clerks[i].template call<&Clerk::use>(ledger);
}

/// Tasks of all PEs, one behind the other, calls and locks between them. Empty when all is right. `is_stepped`: the
/// kernel goes on when the host does, so that its rings are full.
inline Task<std::string> enter_together(Runtime& runtime, std::uint32_t owner, double idle_us, bool is_stepped) {
  constexpr std::uint32_t kEntries = 150, kCalls = 5, kAmended = 1000;
  const auto clerks = co_await runtime.create_group<Clerk>();
  const auto pes = static_cast<std::uint32_t>(runtime.pes());
  co_await open_ledger(clerks, pes, owner % pes, idle_us);
  Findings found;
  clerks.template broadcast<&Clerk::enter>(kEntries);
  clerks.template broadcast<&Clerk::ask>(kCalls);
  clerks.template broadcast<&Clerk::amend>(std::uint64_t{kAmended});
  clerks.template broadcast<&Clerk::hasten>(3U);
  clerks.template broadcast<&Clerk::enter>(1U);
  clerks.template broadcast<&Clerk::await_flag>(2U);
  co_await runtime.quiescence();
  for (int i = 0; i < static_cast<int>(pes); ++i) {
    found.expect("answers", co_await clerks[i].template call<&Clerk::answers>(), kCalls);
    found.expect("total", co_await clerks[i].template call<&Clerk::total>(), pes * (kEntries + kCalls + 1 + kAmended));
    found.expect("out of order", co_await clerks[i].template call<&Clerk::wrong>(), 0);
    found.expect("urgent", co_await clerks[i].template call<&Clerk::urgent>(), 4 * pes);
    const std::uint64_t waiting = co_await clerks[i].template call<&Clerk::most_waiting>();
    found.expect("more than the ring holds", waiting > 0 || !is_stepped ? 1 : 0, 1);
  }
  co_return found.text();
}

/// Each lets the device tell the next one, many times: quiescence comes when that has been heard.
inline Task<std::string> tell_each_other(Runtime& runtime, std::uint32_t owner, double idle_us) {
  constexpr std::uint32_t kDepth = 4, kTimes = 6;
  const auto clerks = co_await runtime.create_group<Clerk>();
  const auto pes = static_cast<std::uint32_t>(runtime.pes());
  co_await open_ledger(clerks, pes, owner % pes, idle_us);
  Findings found;
  heard_by_all = 0;
  for (std::uint32_t time = 1; time <= kTimes; ++time) {
    for (std::uint32_t i = 0; i < pes; ++i)
      if (time % 2 == 0 || i == time % pes)  // by one of them alone, and by all
        clerks[static_cast<int>(i)].template send<&Clerk::spread>(kDepth, (i + 1) % pes);
    co_await runtime.quiescence();
    const std::uint32_t expected = (time / 2 * pes + (time + 1) / 2) << kDepth;
    found.expect("told at quiescence " + std::to_string(time), heard_by_all, expected);
    std::uint32_t heard = 0;
    for (int i = 0; i < static_cast<int>(pes); ++i) heard += co_await clerks[i].template call<&Clerk::heard>();
    found.expect("told each", heard, expected);
  }
  co_return found.text();
}

}  // namespace kaon::testing::ledger_node
