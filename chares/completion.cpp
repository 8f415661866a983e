// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/completion.hpp"

#include <string>
#include <utility>

#include "kaon/chares/collectives/operations.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {

void CompletionCounter::produce(std::uint64_t count) {
  if (is_final_)
    throw UsageError(
        "Completion::produce() after all producers had called done(): name as many producers as there are");
  produced_ += count;
}

void CompletionCounter::consume(std::uint64_t count) {
  consumed_ += count;
  if (!is_final_ || std::exchange(is_reporting_, true)) return;
  self().send<&CompletionCounter::report>();  // behind others that wait here, and may consume as well
}

CompletionCounter::Counts CompletionCounter::make_final() {
  is_final_ = true;
  reported_ = consumed_;
  return {produced_, consumed_};
}

void CompletionCounter::report() {
  is_reporting_ = false;
  const std::uint64_t more = consumed_ - std::exchange(reported_, consumed_);
  if (more != 0) array()[kRoot].send<&CompletionCounter::take_report>(more);
}

Task<> CompletionCounter::producers_are_done(std::uint64_t count) {
  done_ += count;
  if (done_ > producers_)
    throw UsageError("Completion::done() was called for " + std::to_string(done_) + " producers where " +
                     std::to_string(producers_) + " were named");
  if (done_ < producers_ || count == 0) co_return;
  const Counts counts = co_await array().call_all<&CompletionCounter::make_final>(sum);
  missing_ += static_cast<std::int64_t>(counts.produced - counts.consumed);
  is_known_ = true;
  look_for_end();
}

void CompletionCounter::take_report(std::uint64_t consumed) {
  missing_ -= static_cast<std::int64_t>(consumed);
  if (is_known_) look_for_end();
}

void CompletionCounter::look_for_end() {
  if (missing_ < 0)
    throw UsageError("Completion: " + std::to_string(-missing_) +
                     (missing_ == -1 ? " more message was" : " more messages were") + " consumed than produced");
  if (missing_ > 0) return;
  is_over_ = true;
  for (const Callback<>& callback : std::exchange(waiting_, {})) callback();
}

void CompletionCounter::await_end(const Callback<>& callback) {
  if (is_over_) return callback();
  waiting_.push_back(callback);
}

Task<Completion> Completion::start(Runtime& runtime, std::uint64_t producers) {
  if (producers == 0) throw UsageError("Completion::start(runtime, 0): somebody must produce, and say when he is done");
  co_return Completion(co_await runtime.create_group<CompletionCounter>(producers));
}

void Completion::done(std::uint64_t producers) const {
  counters_[0].send<&CompletionCounter::producers_are_done>(producers);
}

void Completion::when_finished(const Callback<>& callback) const {
  counters_[0].send<&CompletionCounter::await_end>(callback);
}

Task<> Completion::finished() const {
  const Future<> end = this_runtime().future<>();
  when_finished(end.callback());
  co_await end;
}

}  // namespace kaon::chares
