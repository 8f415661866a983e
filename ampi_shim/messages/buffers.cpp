// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/buffers.hpp"

#include <algorithm>
#include <cstdint>

namespace kaon::ampi {
namespace {

bool meet(const void* data, MPI_Count count, const Datatype* type, std::span<const std::byte> memory) {
  if (memory.empty() || count == 0) return false;
  std::intptr_t first = 0, end = count;
  if (type != nullptr) {
    const std::intptr_t steps = (count - 1) * type->extent();  // negative for types that go backwards
    first = type->true_lower_bound() + std::min<std::intptr_t>(steps, 0);
    end = type->true_lower_bound() + type->true_extent() + std::max<std::intptr_t>(steps, 0);
  }
  const auto base = reinterpret_cast<std::intptr_t>(data);
  const auto there = reinterpret_cast<std::intptr_t>(memory.data());
  return base + first < there + static_cast<std::intptr_t>(memory.size()) && base + end > there;
}

}  // namespace

bool Outgoing::meets(std::span<const std::byte> memory) const { return meet(data, count, type, memory); }

bool Incoming::meets(std::span<const std::byte> memory) const { return meet(data, count, type, memory); }

void Outgoing::pack(std::byte* to) const {
  if (are_run(count, type))
    copy_bytes(to, contiguous(), bytes());
  else
    type->pack(to, data, count);
}

void Incoming::unpack(const std::byte* from, std::size_t bytes) const {
  if (are_run(count, type))
    copy_bytes(contiguous(), from, bytes);
  else
    type->unpack(data, from, count, 0, static_cast<std::int64_t>(bytes));
}

void Incoming::copy_elements_from(const Outgoing& from) const {
  const std::size_t most = std::min(bytes(), from.bytes());
  if (are_run(from.count, from.type)) return unpack(from.contiguous(), most);
  if (are_run(count, type))
    return from.type->pack(contiguous(), from.data, from.count, 0, static_cast<std::int64_t>(most));
  copy_elements(data, count, *type, from.data, from.count, *from.type, static_cast<std::int64_t>(most));
}

}  // namespace kaon::ampi
