// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <optional>
#include <utility>

#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/work/activity.hpp"
#include "kaon/runtime/work/join_counter.hpp"

namespace kaon::chares {

/// For results that say no more than that somebody has ended.
struct KeepFirst {
  Nothing operator()(Nothing, Nothing) const { return {}; }
};

/// The part of a Combiner that does not depend on the types it combines.
class Combining : public Activity {
 public:
  /// Where a PE below, which is asked for a result, is to send it.
  virtual ReplyTo expect_reply() = 0;
  /// The count of missing runs: one for each result, and one without a result when all results are expected.
  JoinCounter& missing() { return missing_; }
  /// Where an element of this PE puts its result, a Partial<V>, before it runs this.
  ResultTo local() { return {0, {}, this, &incoming_base_}; }
  /// Stores an error for the next run. The first error becomes the outcome of the combination.
  void fail(std::exception_ptr error) { incoming_base_.fail(std::move(error)); }

 protected:
  explicit Combining(ResultBase& incoming) : missing_(1), incoming_base_(incoming) {}
  ~Combining() override = default;

  JoinCounter missing_;

 private:
  ResultBase& incoming_base_;
};

/// Combines the results of the elements of one PE and of the PEs below it, and sends the outcome up; or the first
/// exception, at once: others may wait for who has failed, and never give a result. It is run for each result that has
/// been put into `incoming`. It does not hold quiescence off: who awaits the outcome does, and one that has failed or
/// was given up may wait for entries that wait for what is sent only then.
template <class V, class Op>
class Combiner final : public Combining {
 public:
  static Combiner& start(Pe& pe, PeId parent, ReplyTo slot) {
    return make<Combiner>(pe.activities(), pe.pool(), pe, ResultTo{parent, slot});
  }

  Combiner(Pe& pe, const ResultTo& to) : Combining(incoming_), pe_(pe), to_(to) {
    run = [](Work& self, Pe&) { static_cast<Combiner&>(self).take_one(); };
  }

  ReplyTo expect_reply() override {
    missing_.expect();
    return pe_.replies().open(*this, incoming_);
  }
  Result<Partial<V>>& incoming() { return incoming_; }

 private:
  ~Combiner() override = default;

  // Run for each element of a broadcast: what is rare stands apart.
  void take_one() {
    if (incoming_.error()) [[unlikely]]
      take_error();
    else if (incoming_.has_value())
      take_value();
    if (missing_.arrive()) [[unlikely]]
      finish();
  }
  void take_value() {
    if (incoming_.value()) add(std::move(*incoming_.value()));
    incoming_.reset_value();
  }
  [[gnu::noinline]] void take_error() {
    tell(incoming_.error());
    incoming_.reset();
  }

  void add(V&& value) {
    if (has_failed_) return;
    if (!value_) return (void)value_.emplace(std::move(value));
    try {
      value_.emplace(Op{}(std::move(*value_), std::move(value)));
    } catch (...) {  // the operation's
      tell(std::current_exception());
    }
  }

  [[gnu::noinline]] void tell(const std::exception_ptr& error) {
    if (!std::exchange(has_failed_, true)) give_failure(pe_, to_, error);
  }

  [[gnu::noinline]] void finish() {
    if (!has_failed_) give_result<Partial<V>>(pe_, to_, std::move(value_));
    end();
  }

  Pe& pe_;
  ResultTo to_;
  Result<Partial<V>> incoming_;
  Partial<V> value_;
  bool has_failed_ = false;
};

}  // namespace kaon::chares
