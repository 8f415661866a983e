// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/devices/device_packing.hpp"

#include <algorithm>
#include <vector>

namespace kaon::ampi {
namespace {

/// So many repetitions, so many bytes apart.
struct Level {
  std::int64_t count;
  std::int64_t stride;
};

/// A layout taken apart, the outermost repetition first.
struct Levels {
  std::int64_t offset = 0;
  std::int64_t run_bytes = 0;
  std::vector<Level> levels;

  void repeat(std::int64_t count, std::int64_t stride) {
    if (count == 1) return;
    levels.push_back({count, stride});
  }
  /// Repetitions of what has no gaps become longer runs, and two levels that go on alike become one.
  void simplify() {
    while (!levels.empty() && levels.back().stride == run_bytes) {
      run_bytes *= levels.back().count;
      levels.pop_back();
    }
    for (std::size_t i = 1; i < levels.size();) {
      const Level inner = levels[i];
      if (levels[i - 1].stride != inner.count * inner.stride) {
        ++i;
        continue;
      }
      levels[i - 1] = {levels[i - 1].count * inner.count, inner.stride};
      levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
};

/// False: it holds runs of several kinds.
bool take_apart(const Layout& layout, Levels& into) {
  into.offset += layout.offset;
  into.repeat(layout.count, layout.stride);
  if (!layout.node) {
    into.run_bytes = layout.bytes;
    return true;
  }
  if (layout.node->blocks.size() == 1) {
    into.offset += layout.node->blocks.front().offset;
    into.run_bytes = layout.node->blocks.front().bytes;
    return true;
  }
  return layout.node->blocks.empty() && layout.node->parts.size() == 1 && take_apart(layout.node->parts.front(), into);
}

/// Calls `visit(offset, begin, bytes)` for each run of the first `limit` bytes of the data: where it is in memory, and
/// among the packed data. An offset is a number, since that of a buffer may be an absolute address.
template <class Visit>
class RunWalk {
 public:
  RunWalk(std::int64_t limit, const Visit& visit) : limit_(limit), visit_(visit) {}

  void walk(const Layout& layout, std::int64_t at) {
    at += layout.offset;
    for (std::int64_t i = 0; i < layout.count && begin_ < limit_; ++i) walk_one(layout, at + i * layout.stride);
  }

 private:
  void walk_one(const Layout& layout, std::int64_t at) {
    if (!layout.node) return run(at, layout.bytes);
    for (const LayoutNode::Block& block : layout.node->blocks) run(at + block.offset, block.bytes);
    for (const Layout& part : layout.node->parts) walk(part, at);
  }
  void run(std::int64_t at, std::int64_t bytes) {
    bytes = std::min(bytes, limit_ - begin_);
    if (bytes <= 0) return;
    visit_(at, begin_, bytes);
    begin_ += bytes;
  }

  std::int64_t limit_;
  std::int64_t begin_ = 0;
  const Visit& visit_;
};

template <class Visit>
void each_run(const ProgramData& elements, std::size_t bytes, const Visit& visit) {
  RunWalk<Visit> walk(static_cast<std::int64_t>(bytes), visit);
  Layout all = elements.type->definition().layout;
  for (MPI_Count i = 0; i < elements.count; ++i) walk.walk(all, i * elements.type->extent());
}

RepeatedLayout layout_of(const ProgramData& elements) {
  return {&elements.type->definition().layout, elements.count, elements.type->extent()};
}

/// Runs that a kernel of the PE's device copies; nothing: they are irregular, or on another device.
std::optional<gpu::StridedBytes> runs_for_kernel(ProgramDevice& program, const ProgramData& elements) {
  const auto runs = strided_bytes(elements.data, layout_of(elements));
  if (!runs || program.memory().find(runs->first).region == nullptr) return std::nullopt;
  return runs;
}

std::byte* place(const ProgramData& elements, std::int64_t offset) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(elements.data) +
                                      static_cast<std::uintptr_t>(offset));
}

}  // namespace

std::optional<gpu::StridedBytes> strided_bytes(const void* memory, const RepeatedLayout& layout) {
  Levels found;
  found.repeat(layout.count, layout.stride);
  if (!take_apart(*layout.layout, found)) return std::nullopt;
  found.simplify();
  if (found.levels.size() > gpu::StridedBytes::kLevels) return std::nullopt;
  gpu::StridedBytes runs;
  runs.first = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(memory) +
                                            static_cast<std::uintptr_t>(found.offset));
  runs.run_bytes = found.run_bytes;
  for (std::size_t i = 0; i < found.levels.size(); ++i) {
    const Level& level = found.levels[found.levels.size() - 1 - i];
    runs.counts[i] = level.count;
    runs.strides[i] = level.stride;
  }
  return runs;
}

void copy_on_stream(gpu::Stream& stream, std::byte* to, const std::byte* from, std::size_t bytes) {
  stream.copy(gpu::Span<std::byte>(to, bytes), gpu::Span<const std::byte>(from, bytes));
}

void pack_on_device(ProgramDevice& program, gpu::Stream& stream, std::byte* packed, const ProgramData& from,
                    std::size_t bytes) {
  if (from.is_run()) return copy_on_stream(stream, packed, from.run(), bytes);
  if (const auto runs = runs_for_kernel(program, from)) return gpu::pack(stream, packed, *runs, bytes);
  each_run(from, bytes, [&](std::int64_t offset, std::int64_t begin, std::int64_t length) {
    copy_on_stream(stream, packed + begin, place(from, offset), static_cast<std::size_t>(length));
  });
}

void unpack_on_device(ProgramDevice& program, gpu::Stream& stream, const ProgramData& to, const std::byte* packed,
                      std::size_t bytes) {
  if (to.is_run()) return copy_on_stream(stream, to.run(), packed, bytes);
  if (const auto runs = runs_for_kernel(program, to)) return gpu::unpack(stream, *runs, packed, bytes);
  each_run(to, bytes, [&](std::int64_t offset, std::int64_t begin, std::int64_t length) {
    copy_on_stream(stream, place(to, offset), packed + begin, static_cast<std::size_t>(length));
  });
}

}  // namespace kaon::ampi
