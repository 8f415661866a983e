// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/strided_copy.hpp"

#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {
namespace {

/// The largest word in which all of it can be copied.
std::size_t word_bytes(const std::byte* packed, const StridedBytes& runs, std::size_t bytes) {
  auto common = reinterpret_cast<std::uintptr_t>(packed) | reinterpret_cast<std::uintptr_t>(runs.first) |
                static_cast<std::uintptr_t>(runs.run_bytes) | bytes;
  for (const std::int64_t stride : runs.strides) common |= static_cast<std::uintptr_t>(stride);
  std::size_t word = sizeof(CopiedQuad);
  while (common % word != 0) word /= 2;
  return word;
}

template <class Word, bool kPacks>
void launch(Stream& stream, std::byte* packed, const StridedBytes& runs, std::size_t bytes) {
  StridedCopy<Word, kPacks> copy{packed, runs.first, static_cast<std::uint64_t>(runs.run_bytes) / sizeof(Word), {}, {}};
  for (std::size_t level = 0; level < 2; ++level) copy.counts[level] = static_cast<std::uint64_t>(runs.counts[level]);
  for (std::size_t level = 0; level < StridedBytes::kLevels; ++level) copy.strides[level] = runs.strides[level];
  stream.for_each(bytes / sizeof(Word), copy);
}

template <bool kPacks>
void copy(Stream& stream, std::byte* packed, const StridedBytes& runs, std::size_t bytes) {
  if (bytes == 0) return;
  switch (word_bytes(packed, runs, bytes)) {
    case 1:
      return launch<std::uint8_t, kPacks>(stream, packed, runs, bytes);
    case 2:
      return launch<std::uint16_t, kPacks>(stream, packed, runs, bytes);
    case 4:
      return launch<std::uint32_t, kPacks>(stream, packed, runs, bytes);
    case 8:
      return launch<std::uint64_t, kPacks>(stream, packed, runs, bytes);
    default:
      return launch<CopiedQuad, kPacks>(stream, packed, runs, bytes);
  }
}

}  // namespace

void pack(Stream& stream, std::byte* packed, const StridedBytes& runs, std::size_t bytes) {
  copy<true>(stream, packed, runs, bytes);
}

void unpack(Stream& stream, const StridedBytes& runs, const std::byte* packed, std::size_t bytes) {
  copy<false>(stream, const_cast<std::byte*>(packed), runs, bytes);
}

}  // namespace kaon::gpu
