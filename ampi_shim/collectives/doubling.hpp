// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kaon::ampi {

/// The ranks of a recursive doubling: 2^k of them, of `size`. Of the first 2 * left_over ranks the odd ones are in it
/// and stand for their lower neighbours too, so that parts hold neighbouring ranks.
struct Doubling {
  explicit Doubling(int size) {
    while (members * 2 <= size) members *= 2;
    left_over = size - members;
  }
  bool is_stood_for(int rank) const { return rank < 2 * left_over && rank % 2 == 0; }
  bool stands_for_other(int rank) const { return rank < 2 * left_over && rank % 2 == 1; }
  int member(int rank) const { return rank < 2 * left_over ? rank / 2 : rank - left_over; }
  int rank_of(int member) const { return member < left_over ? 2 * member + 1 : member + left_over; }

  int members = 1;
  int left_over = 0;
};

}  // namespace kaon::ampi
