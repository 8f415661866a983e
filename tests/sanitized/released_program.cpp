// SPDX-License-Identifier: Apache-2.0
// Reads memory of a pool that was given back. Compiled with AddressSanitizer, on a library without.
#include "kaon/runtime/memory/pool.hpp"

int main() {
  kaon::runtime::Pool pool;
  auto* const word = static_cast<volatile int*>(pool.allocate(sizeof(int)));
  *word = 0;
  pool.release(const_cast<int*>(word), sizeof(int));
  return *word;
}
