// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/accumulation.hpp"

#include <cstdint>
#include <cstring>
#include <mutex>

#include "kaon/runtime/payloads/payload.hpp"

namespace kaon::ampi {
namespace {

using Scratch = runtime::Payload<std::byte>;  // memory of the PE's pool

/// inout[i] = in[i] operation inout[i], for packed elements. Those of pairs have gaps in memory.
void reduce_packed(const Operation& operation, const Datatype& element, const std::byte* in, std::byte* inout,
                   std::int64_t count) {
  if (element.is_run(count)) return operation.kernel(element)(in, inout, count);
  const auto bytes = static_cast<std::size_t>(count * element.extent());
  Scratch left = Scratch::uninitialized(bytes), right = Scratch::uninitialized(bytes);
  element.unpack(left.view().data(), in, count);
  element.unpack(right.view().data(), inout, count);
  operation.kernel(element)(left.view().data(), right.view().data(), count);
  element.pack(inout, right.view().data(), count);
}

/// Kernels load numbers at once, and may rely on where numbers of a size begin.
bool is_aligned(const std::byte* memory, const Datatype& element) {
  const auto alignment = static_cast<std::uintptr_t>(element.definition().bounds.alignment);
  return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0;
}

}  // namespace

void Accumulation::apply(PartControl& control, std::byte* memory) const {
  const std::int64_t bytes = target->bytes();
  if (bytes == 0) return;
  const std::int64_t count = bytes / element->size();
  const bool changes = operation->handle() != MPI_NO_OP;
  std::byte* const run = target->is_run() ? memory + target->layout.offset : nullptr;
  if (run != nullptr && is_aligned(run, *element)) {
    const std::lock_guard lock(control.accumulating);
    if (result != nullptr) std::memcpy(result, run, static_cast<std::size_t>(bytes));
    if (changes) reduce_packed(*operation, *element, origin, run, count);
    return;
  }
  Scratch elements = Scratch::uninitialized(static_cast<std::size_t>(bytes));
  std::byte* const packed = elements.view().data();
  const std::lock_guard lock(control.accumulating);
  target->pack(packed, memory);
  if (result != nullptr) std::memcpy(result, packed, static_cast<std::size_t>(bytes));
  if (!changes) return;
  reduce_packed(*operation, *element, origin, packed, count);
  target->unpack(memory, packed, bytes);
}

void ComparedSwap::apply(PartControl& control, std::byte* memory) const {
  const std::lock_guard lock(control.accumulating);
  std::memcpy(result, memory, bytes);
  if (std::memcmp(result, compare, bytes) == 0) std::memcpy(memory, origin, bytes);
}

}  // namespace kaon::ampi
