// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/datatype.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

#include "kaon/ampi_shim/datatypes/handle_memory.hpp"

namespace kaon::ampi {

namespace {

HandleMemory<Datatype>& memory() {
  static auto* const memory = new HandleMemory<Datatype>;  // handles may be asked of until the process has ended
  return *memory;
}

}  // namespace

Datatype::Datatype(TypeDefinitionPtr definition)
    : size_(definition->size),
      extent_(definition->bounds.extent()),
      is_dense_(definition->layout.is_run() && size_ == extent_),
      definition_(std::move(definition)) {}

Datatype* Datatype::make(TypeDefinitionPtr definition) {
  return new (memory().allocate()) Datatype(std::move(definition));
}

void Datatype::release_counted() const noexcept {
  // acq_rel: whoever ends the object has seen all that others did with it before they let it go
  if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  this->~Datatype();
  memory().release(const_cast<Datatype*>(this));
}

void Datatype::free_handle() noexcept {
  users_.fetch_sub(1, std::memory_order_relaxed);
  release();
}

RepeatedLayout elements_of(const TypeDefinition& type, std::int64_t count) {
  const Layout& element = type.element;
  return element.count == 1 ? RepeatedLayout{&element, count, type.bounds.extent()}
                            : RepeatedLayout{&element, element.count * count, element.stride};
}

void Datatype::pack(void* packed, const void* buffer, std::int64_t count, std::int64_t first,
                    std::int64_t bytes) const {
  pack_bytes(packed, buffer, repeated(count), first, bytes);
}

void Datatype::unpack(void* buffer, const void* packed, std::int64_t count, std::int64_t first,
                      std::int64_t bytes) const {
  unpack_bytes(buffer, packed, repeated(count), first, bytes);
}

void copy_elements(void* to, std::int64_t to_count, const Datatype& to_type, const void* from, std::int64_t from_count,
                   const Datatype& from_type, std::int64_t bytes) {
  bytes = std::min({bytes, to_count * to_type.size(), from_count * from_type.size()});
  if (from_type.is_run(from_count) && to_type.is_run(to_count)) {
    if (bytes > 0) std::memmove(to_type.run_at(to), from_type.run_at(from), static_cast<std::size_t>(bytes));
    return;
  }
  if (from_type.is_run(from_count)) return to_type.unpack(to, from_type.run_at(from), to_count, 0, bytes);
  if (to_type.is_run(to_count)) return from_type.pack(to_type.run_at(to), from, from_count, 0, bytes);
  std::array<char, 4096> piece;  // on the stack of a rank, which is small
  for (std::int64_t first = 0; first < bytes; first += static_cast<std::int64_t>(piece.size())) {
    const std::int64_t now = std::min(bytes - first, static_cast<std::int64_t>(piece.size()));
    from_type.pack(piece.data(), from, from_count, first, now);
    to_type.unpack(to, piece.data(), to_count, first, now);
  }
}

}  // namespace kaon::ampi
