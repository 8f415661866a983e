// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/census.hpp"

#include <algorithm>

#include "kaon/chares/elements/reductions.hpp"

namespace kaon::chares {
namespace {

std::uint32_t after(std::uint32_t number) { return (number + 1) & ElementAccess::kReductionMask; }

}  // namespace

void Census::change(std::uint32_t number, std::int64_t by) {
  const auto same = std::find_if(changes_.begin(), changes_.end(), [&](const Change& c) { return c.number == number; });
  Change& change = same != changes_.end() ? *same : changes_.emplace_back(Change{number, 0, 0});
  change.by += by;
  ++change.times;
}

bool Census::died(std::uint32_t next) {
  change(next, -1);
  return Reductions::is_before(next, first_of_newcomer_);
}

CensusCount Census::count(std::uint32_t number) {
  if (!Reductions::is_before(number, first_of_newcomer_)) first_of_newcomer_ = after(number);
  CensusCount sum = settled_;
  for (const Change& change : changes_) {
    if (Reductions::is_before(number, change.number)) continue;
    sum.members += change.by;
    sum.changes += change.times;
  }
  return sum;
}

std::int64_t Census::all() const {
  std::int64_t sum = settled_.members;
  for (const Change& change : changes_) sum += change.by;
  return sum;
}

void Census::settle(std::uint32_t number) {
  if (Reductions::is_before(number, next_)) return;
  next_ = after(number);
  if (Reductions::is_before(first_of_newcomer_, next_)) first_of_newcomer_ = next_;
  std::erase_if(changes_, [&](const Change& change) {
    const bool is_settled = !Reductions::is_before(number, change.number);
    if (!is_settled) return false;
    settled_.members += change.by;
    settled_.changes += change.times;
    return true;
  });
}

}  // namespace kaon::chares
