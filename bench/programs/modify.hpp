// SPDX-License-Identifier: Apache-2.0
// What a program that sends on what it received does to it first, the same for all that are compared. Valid C too.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Adds 1 to each of `count` words.
static inline void kaon_bench_modify(uint64_t* words, size_t count) {
  for (size_t i = 0; i < count; ++i) ++words[i];
}
