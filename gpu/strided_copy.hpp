// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/kernels/kernel.hpp"
#include "kaon/gpu/kernels/quad.hpp"

namespace kaon::gpu {

class Stream;

/// Runs of bytes at regular places in the memory of a device: in `counts[2]` groups of `counts[1]` groups of
/// `counts[0]` runs, so many bytes from one to the next.
struct StridedBytes {
  static constexpr std::size_t kLevels = 3;
  std::byte* first = nullptr;  // the first run
  std::int64_t run_bytes = 0;
  std::array<std::int64_t, kLevels> counts{1, 1, 1};
  std::array<std::int64_t, kLevels> strides{0, 0, 0};
};

/// Copies the first `bytes` of the runs one behind the other to `packed`, memory of a device too.
void pack(Stream& stream, std::byte* packed, const StridedBytes& runs, std::size_t bytes);
/// The way back.
void unpack(Stream& stream, const StridedBytes& runs, const std::byte* packed, std::size_t bytes);

/// The kernel of both: each index is a word of the packed bytes.
template <class Word, bool kPacks>
struct StridedCopy {
  std::byte* packed;
  std::byte* first;
  std::uint64_t words_of_run;
  std::uint64_t counts[2];  // of runs in a group, and of groups in a group of these
  std::int64_t strides[StridedBytes::kLevels];

  KAON_DEVICE void operator()(std::size_t i) const {
    const std::uint64_t run = i / words_of_run;
    const std::uint64_t group = run / counts[0];
    const auto place = static_cast<std::int64_t>((i % words_of_run) * sizeof(Word)) +
                       static_cast<std::int64_t>(run % counts[0]) * strides[0] +
                       static_cast<std::int64_t>(group % counts[1]) * strides[1] +
                       static_cast<std::int64_t>(group / counts[1]) * strides[2];
    Word& in_packed = reinterpret_cast<Word*>(packed)[i];
    Word& in_runs = *reinterpret_cast<Word*>(first + place);
    if constexpr (kPacks)
      in_packed = in_runs;
    else
      in_runs = in_packed;
  }
};

}  // namespace kaon::gpu
