// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace kaon::bench {

// How a kernel looks at a word until it has a value.
enum class Looks {
  acquiring,      // each look orders what follows
  relaxed_fence,  // a fence behind the last look does
};

// A kernel of one thread that stores each value of `call`, from 1 on, into `reply`.
void launch_answer(Looks looks, std::uint32_t* call, std::uint32_t* reply, std::uint32_t rounds, cudaStream_t stream);
// Two blocks of one thread that raise `even` and `odd` in turns, for each other alone or for the whole system to see.
void launch_turns(bool is_for_system, std::uint32_t* even, std::uint32_t* odd, std::uint32_t rounds,
                  cudaStream_t stream);

}  // namespace kaon::bench
