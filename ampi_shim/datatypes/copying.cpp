// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/copying.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace kaon::ampi {

namespace {

// Both directions are one walk: the copy of some bytes is what differs. An address in memory is a number, since that of
// a buffer may be MPI_BOTTOM, a null pointer, to which nothing can be added.
using Memory = std::uintptr_t;
struct Pack {
  using Packed = char*;
  static void copy(char* packed, Memory memory, std::size_t bytes) {
    std::memcpy(packed, reinterpret_cast<const char*>(memory), bytes);
  }
};
struct Unpack {
  using Packed = const char*;
  static void copy(const char* packed, Memory memory, std::size_t bytes) {
    std::memcpy(reinterpret_cast<char*>(memory), packed, bytes);
  }
};

/// So many bytes further, or back.
Memory moved(Memory memory, std::int64_t bytes) { return memory + static_cast<std::uintptr_t>(bytes); }

/// One walk in one direction.
template <class Direction>
class Copier {
 public:
  using Packed = typename Direction::Packed;

  /// Repetitions that are wanted whole: `packed` is where the first one's data are.
  static void copy_whole(const Layout& layout, Packed packed, Memory memory, std::int64_t count, std::int64_t stride) {
    memory = moved(memory, layout.offset);
    if (!layout.node)
      copy_runs(packed, layout.bytes, memory, stride, layout.bytes, count);
    else if (!layout.node->blocks.empty())
      copy_blocks(*layout.node, layout.bytes, packed, memory, count, stride);
    else
      copy_parts(*layout.node, layout.bytes, packed, memory, count, stride);
  }

  /// `bytes` of the data from number `first` on: `packed` is where byte `first` is.
  static void copy_some(const Layout& layout, Packed packed, Memory memory, std::int64_t stride, std::int64_t first,
                        std::int64_t bytes) {
    const std::int64_t repetition = first / layout.bytes;
    const std::int64_t begin = first % layout.bytes;
    memory = moved(memory, repetition * stride);
    if (begin != 0) {
      const std::int64_t rest = std::min(bytes, layout.bytes - begin);
      copy_inside(layout, packed, memory, begin, rest);
      packed += rest;
      memory = moved(memory, stride);
      bytes -= rest;
    }
    const std::int64_t whole = bytes / layout.bytes;
    if (whole > 0) copy_whole(layout, packed, memory, whole, stride);
    const std::int64_t tail = bytes % layout.bytes;
    if (tail > 0) copy_inside(layout, packed + whole * layout.bytes, moved(memory, whole * stride), 0, tail);
  }

 private:
  template <std::size_t kBytes>
  static void copy_fixed(Packed packed, std::int64_t packed_stride, Memory memory, std::int64_t stride,
                         std::int64_t count) {
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < count; ++i) {
      Direction::copy(packed, memory, kBytes);
      packed += packed_stride;
      memory = moved(memory, stride);
    }
  }

  /// `count` runs of `bytes`. A size known to the compiler is two instructions, another a call.
  static void copy_runs(Packed packed, std::int64_t packed_stride, Memory memory, std::int64_t stride,
                        std::int64_t bytes, std::int64_t count) {
    switch (bytes) {
      case 1:
        return copy_fixed<1>(packed, packed_stride, memory, stride, count);
      case 2:
        return copy_fixed<2>(packed, packed_stride, memory, stride, count);
      case 4:
        return copy_fixed<4>(packed, packed_stride, memory, stride, count);
      case 8:
        return copy_fixed<8>(packed, packed_stride, memory, stride, count);
      case 12:
        return copy_fixed<12>(packed, packed_stride, memory, stride, count);
      case 16:
        return copy_fixed<16>(packed, packed_stride, memory, stride, count);
      case 24:
        return copy_fixed<24>(packed, packed_stride, memory, stride, count);
      case 32:
        return copy_fixed<32>(packed, packed_stride, memory, stride, count);
      case 64:
        return copy_fixed<64>(packed, packed_stride, memory, stride, count);
      default:
        break;
    }
    for (std::int64_t i = 0; i < count; ++i)
      Direction::copy(packed + i * packed_stride, moved(memory, i * stride), static_cast<std::size_t>(bytes));
  }

  /// Any number of bytes from `kBytes` to twice as many: the two halves may overlap.
  template <std::size_t kBytes>
  static void copy_halves(Packed packed, Memory memory, std::int64_t bytes) {
    const auto second = bytes - static_cast<std::int64_t>(kBytes);
    Direction::copy(packed, memory, kBytes);
    Direction::copy(packed + second, moved(memory, second), kBytes);
  }

  /// Small ones are a few instructions instead of a call.
  static void copy_block(Packed packed, Memory memory, std::int64_t bytes) {
    if (bytes > 64 || bytes < 4) return Direction::copy(packed, memory, static_cast<std::size_t>(bytes));
    if (bytes > 32) return copy_halves<32>(packed, memory, bytes);
    if (bytes > 16) return copy_halves<16>(packed, memory, bytes);
    if (bytes > 8) return copy_halves<8>(packed, memory, bytes);
    copy_halves<4>(packed, memory, bytes);
  }

  /// A few blocks that are repeated often, as a structure's, are copied field by field, some repetitions at a time, so
  /// that the size of a copy is known once for many and the data stay in the nearest cache.
  static void copy_blocks(const LayoutNode& node, std::int64_t bytes, Packed packed, Memory memory, std::int64_t count,
                          std::int64_t stride) {
    constexpr std::int64_t kNear = 8192;  // bytes
    const std::int64_t step = std::max<std::int64_t>(1, kNear / bytes);
    while (count > 0) {
      const std::int64_t now = std::min(step, count);
      if (now == 1)
        copy_list(node, packed, memory);
      else
        for (const LayoutNode::Block& block : node.blocks)
          copy_runs(packed + block.begin, bytes, moved(memory, block.offset), stride, block.bytes, now);
      packed += now * bytes;
      memory = moved(memory, now * stride);
      count -= now;
    }
  }

  static void copy_list(const LayoutNode& node, Packed packed, Memory memory) {
    switch (node.equal_bytes) {
      case 4:
        return copy_equal_blocks<4>(node, packed, memory);
      case 8:
        return copy_equal_blocks<8>(node, packed, memory);
      case 12:
        return copy_equal_blocks<12>(node, packed, memory);
      case 16:
        return copy_equal_blocks<16>(node, packed, memory);
      case 24:
        return copy_equal_blocks<24>(node, packed, memory);
      case 32:
        return copy_equal_blocks<32>(node, packed, memory);
      case 64:
        return copy_equal_blocks<64>(node, packed, memory);
      default:
        break;
    }
    for (const LayoutNode::Block& block : node.blocks)
      copy_block(packed + block.begin, moved(memory, block.offset), block.bytes);
  }

  template <std::size_t kBytes>
  static void copy_equal_blocks(const LayoutNode& node, Packed packed, Memory memory) {
    for (const LayoutNode::Block& block : node.blocks) {
      Direction::copy(packed, moved(memory, block.offset), kBytes);
      packed += kBytes;
    }
  }

  static void copy_parts(const LayoutNode& node, std::int64_t bytes, Packed packed, Memory memory, std::int64_t count,
                         std::int64_t stride) {
    for (; count > 0; --count) {
      for (std::size_t i = 0; i < node.parts.size(); ++i) {
        const Layout& part = node.parts[i];
        copy_whole(part, packed + node.begins[i], memory, part.count, part.stride);
      }
      packed += bytes;
      memory = moved(memory, stride);
    }
  }

  /// A piece of one repetition.
  static void copy_inside(const Layout& layout, Packed packed, Memory memory, std::int64_t first, std::int64_t bytes) {
    memory = moved(memory, layout.offset);
    if (!layout.node)
      Direction::copy(packed, moved(memory, first), static_cast<std::size_t>(bytes));
    else if (!layout.node->blocks.empty())
      copy_some_blocks(*layout.node, packed, memory, first, bytes);
    else
      copy_some_parts(*layout.node, packed, memory, first, bytes);
  }

  static void copy_some_blocks(const LayoutNode& node, Packed packed, Memory memory, std::int64_t first,
                               std::int64_t bytes) {
    auto block = std::upper_bound(node.blocks.begin(), node.blocks.end(), first,
                                  [](std::int64_t at, const LayoutNode::Block& each) { return at < each.begin; });
    for (--block; bytes > 0; ++block) {
      const std::int64_t skipped = first - block->begin;
      const std::int64_t now = std::min(bytes, block->bytes - skipped);
      copy_block(packed, moved(memory, block->offset + skipped), now);
      packed += now;
      first += now;
      bytes -= now;
    }
  }

  static void copy_some_parts(const LayoutNode& node, Packed packed, Memory memory, std::int64_t first,
                              std::int64_t bytes) {
    auto begin = std::upper_bound(node.begins.begin(), node.begins.end(), first);
    for (--begin; bytes > 0; ++begin) {
      const Layout& part = node.parts[static_cast<std::size_t>(begin - node.begins.begin())];
      const std::int64_t skipped = first - *begin;
      const std::int64_t now = std::min(bytes, part.size() - skipped);
      copy_some(part, packed, memory, part.stride, skipped, now);
      packed += now;
      first += now;
      bytes -= now;
    }
  }
};

template <class Direction>
void copy(typename Direction::Packed packed, Memory memory, RepeatedLayout what, std::int64_t first,
          std::int64_t bytes) {
  if (bytes <= 0) return;
  if (first == 0 && bytes == what.count * what.layout->bytes)
    Copier<Direction>::copy_whole(*what.layout, packed, memory, what.count, what.stride);
  else
    Copier<Direction>::copy_some(*what.layout, packed, memory, what.stride, first, bytes);
}

}  // namespace

void pack_bytes(void* packed, const void* memory, RepeatedLayout layout, std::int64_t first, std::int64_t bytes) {
  copy<Pack>(static_cast<char*>(packed), reinterpret_cast<Memory>(memory), layout, first, bytes);
}

void unpack_bytes(void* memory, const void* packed, RepeatedLayout layout, std::int64_t first, std::int64_t bytes) {
  copy<Unpack>(static_cast<const char*>(packed), reinterpret_cast<Memory>(memory), layout, first, bytes);
}

}  // namespace kaon::ampi
