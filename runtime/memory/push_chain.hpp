// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>

namespace kaon::runtime {

/// Puts a list, which leads from `first` by `next` to `last`, before the one that begins at `head`. Any thread, while
/// others do the same and one takes all. `Head` is a parameter so that a model checker can run this very code.
template <class Head, class Block>
void push_chain(Head& head, Block& first, Block& last) {
  Block* before = head.load(std::memory_order_relaxed);
  do {
    last.next = before;
    // release: who takes the list reads the links and reuses the memory we have written
  } while (!head.compare_exchange_weak(before, &first, std::memory_order_release, std::memory_order_relaxed));
}

}  // namespace kaon::runtime
