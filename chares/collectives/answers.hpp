// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <exception>
#include <utility>

#include "kaon/chares/collectives/combiner.hpp"
#include "kaon/runtime/messages/message.hpp"

namespace kaon::chares {

/// Why a call of many elements has no result: the array is being destroyed.
std::exception_ptr some_were_not_asked();

/// What becomes of the results that elements give to a broadcast: combined, with those of the PEs that are asked from
/// here, for who sent the message; or, without a combiner, nobody asked for them.
class Answers {
 public:
  Answers() = default;
  explicit Answers(Combining& combiner) : combiner_(&combiner) {}

  /// For the elements on this PE, which are expected.
  ResultTo to() const { return combiner_ != nullptr ? combiner_->local() : ResultTo{}; }
  void expect(std::uint64_t more) const {
    if (combiner_ != nullptr) combiner_->missing().expect(more);
  }
  void forgo(std::uint64_t fewer) const {
    if (combiner_ != nullptr) combiner_->missing().forgo(fewer);
  }
  /// For what is sent to another PE, or after one element.
  ReplyTo expect_reply() const { return combiner_ != nullptr ? combiner_->expect_reply() : ReplyTo{}; }
  void fail(std::exception_ptr error) const { combiner_->fail(std::move(error)); }
  /// As somebody who is expected beside the others.
  void fail_one(Pe& pe, std::exception_ptr error) const {
    combiner_->missing().expect();
    combiner_->fail(std::move(error));
    combiner_->run(*combiner_, pe);
  }
  /// The last thing that is done with it. `are_cut`: some were not asked.
  void all_are_asked(Pe& pe, bool are_cut) const {
    if (combiner_ == nullptr) return;
    if (are_cut) combiner_->fail(some_were_not_asked());
    combiner_->run(*combiner_, pe);  // without a result: all are expected
  }

 private:
  Combining* combiner_ = nullptr;
};

}  // namespace kaon::chares
