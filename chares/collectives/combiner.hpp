// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <new>
#include <optional>
#include <utility>

#include "kaon/chares/waits/result.hpp"
#include "kaon/runtime/work/errand.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::chares {

/// What a branch of the tree has to say: nothing when no element is in it.
template <class V>
using Partial = std::optional<V>;

/// Combines the results of the elements of one PE and of the PEs below it, and sends the outcome up. Ends itself.
template <class V, class Op>
class Combiner final : public ReplyWaiter, public LocalResults, Errand {
 public:
  static Combiner& start(Pe& pe, PeId parent, ReplyTo slot) {
    return *new (pe.pool().allocate(sizeof(Combiner))) Combiner(pe, parent, slot);
  }

  /// How many results will come from the PEs below.
  void expect(std::uint64_t results) { missing_ += results; }

  void replied(void* value) override {
    auto& partial = *static_cast<Partial<V>*>(value);
    if (partial) add(std::move(*partial));
    one_came();
  }

  void result(void* value) override {
    add(std::move(*static_cast<V*>(value)));
    one_came();
  }

  void all_are_asked(std::uint64_t elements) override {
    missing_ += elements - kAsking;
    if (missing_ == 0) end();
  }

 private:
  static constexpr std::uint64_t kAsking = std::uint64_t{1} << 62;  // keeps it open while results outrun the asking

  Combiner(Pe& pe, PeId parent, ReplyTo slot) : Errand(pe.errands()), pe_(pe), parent_(parent), slot_(slot) {}

  void add(V&& value) {
    if (value_)
      value_.emplace(Op{}(std::move(*value_), std::move(value)));
    else
      value_.emplace(std::move(value));
  }

  void one_came() {
    if (--missing_ == 0) end();
  }

  void end() {
    Reply<Partial<V>>::send(pe_, parent_, slot_, std::move(value_));
    abandon();
  }

  void abandon() noexcept override {
    Pool& pool = pe_.pool();
    this->~Combiner();
    pool.release(this, sizeof(Combiner));
  }

  Pe& pe_;
  PeId parent_;
  ReplyTo slot_;
  std::uint64_t missing_ = kAsking;
  Partial<V> value_;
};

}  // namespace kaon::chares
