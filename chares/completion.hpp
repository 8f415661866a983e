// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "kaon/chares/callbacks.hpp"
#include "kaon/chares/chare.hpp"

namespace kaon::chares {

/// The counts of a Completion on one PE. Counting sends no message until all producers are done. Then each PE reports
/// its counts to the root, and later whatever else it consumes. So the number missing there only falls.
class CompletionCounter : public Chare<CompletionCounter> {
 public:
  struct Counts {
    std::uint64_t produced = 0, consumed = 0;
    Counts operator+(const Counts& other) const { return {produced + other.produced, consumed + other.consumed}; }
  };

  CompletionCounter() = default;
  explicit CompletionCounter(std::uint64_t producers) : producers_(producers) {}

  // --- of the PE's own tasks
  void produce(std::uint64_t count);
  void consume(std::uint64_t count);

  // --- entries
  /// No producer produces from now on.
  Counts make_final();
  void report();

  // --- entries of the root
  Task<> producers_are_done(std::uint64_t count);
  void take_report(std::uint64_t consumed);
  void await_end(const Callback<>& callback);

 private:
  static constexpr int kRoot = 0;

  void look_for_end();

  std::uint64_t produced_ = 0, consumed_ = 0;
  std::uint64_t reported_ = 0;  // of consumed_
  bool is_final_ = false, is_reporting_ = false;

  // At the root:
  std::uint64_t producers_ = 0, done_ = 0;
  std::int64_t missing_ = 0;  // below 0 while reports overtake the first answer
  bool is_known_ = false, is_over_ = false;
  std::vector<Callback<>> waiting_;
};

/// Tells when all messages of one group have been dealt with, while other messages go on: what quiescence says of the
/// whole run. Who sends one calls produce(), who has dealt with it consume(), on whatever PE that is, and each of a
/// number of producers that was named at the start calls done() when it produces no more. A name of a few words, to be
/// copied, kept and sent.
class Completion {
 public:
  Completion() = default;
  /// `co_await` gives it when all PEs know it. Throws UsageError for no producers.
  static Task<Completion> start(Runtime& runtime, std::uint64_t producers);

  /// Before the messages are sent. Throws UsageError when all producers are done.
  void produce(std::uint64_t count = 1) const { counters_.local().produce(count); }
  void consume(std::uint64_t count = 1) const { counters_.local().consume(count); }
  /// Marks this number of producers as done. The run ends with a UsageError if more are done than were named, or if
  /// more was consumed than produced.
  void done(std::uint64_t producers = 1) const;

  /// `co_await` ends when all producers are done and all that they produced is consumed. From any PE, by any number of
  /// tasks; it does not hold quiescence off.
  Task<> finished() const;
  /// The same for who does not wait.
  void when_finished(const Callback<>& callback) const;

  /// Gives its memory back on all PEs, when nobody uses it any more.
  void destroy() const { counters_.destroy(); }

  template <class Archive>
  void pup(Archive& archive) {
    archive(counters_);
  }

 private:
  explicit Completion(const Group<CompletionCounter>& counters) : counters_(counters) {}

  Group<CompletionCounter> counters_;
};

}  // namespace kaon::chares
