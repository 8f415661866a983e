// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/buffers.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kaon/ampi_shim/datatypes/datatype.hpp"

namespace kaon::ampi {
namespace {

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

std::size_t bytes_of(MPI_Count count, const Datatype* type) {
  return static_cast<std::size_t>(type != nullptr ? count * type->size() : count);
}

/// Where the run begins; only of one that is a run.
std::ptrdiff_t offset_of(const Datatype* type) { return type != nullptr ? type->run_offset() : 0; }

bool is_run(MPI_Count count, const Datatype* type) { return type == nullptr || type->is_run(count); }

}  // namespace

std::size_t Outgoing::bytes() const { return bytes_of(count, type); }

const std::byte* Outgoing::contiguous() const {
  return is_run(count, type) ? static_cast<const std::byte*>(data) + offset_of(type) : nullptr;
}

void Outgoing::pack(std::byte* to) const {
  if (is_run(count, type))
    copy_bytes(to, contiguous(), bytes());
  else
    type->pack(to, data, count);
}

std::size_t Incoming::bytes() const { return bytes_of(count, type); }

std::byte* Incoming::contiguous() const {
  return is_run(count, type) ? static_cast<std::byte*>(data) + offset_of(type) : nullptr;
}

void Incoming::unpack(const std::byte* from, std::size_t bytes) const {
  if (is_run(count, type))
    copy_bytes(contiguous(), from, bytes);
  else
    type->unpack(data, from, count, 0, static_cast<std::int64_t>(bytes));
}

void Incoming::copy_from(const Outgoing& from) const {
  const std::size_t most = std::min(bytes(), from.bytes());
  if (is_run(from.count, from.type)) return unpack(from.contiguous(), most);
  if (is_run(count, type))
    return from.type->pack(contiguous(), from.data, from.count, 0, static_cast<std::int64_t>(most));
  copy_elements(data, count, *type, from.data, from.count, *from.type, static_cast<std::int64_t>(most));
}

}  // namespace kaon::ampi
