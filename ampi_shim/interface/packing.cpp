// SPDX-License-Identifier: Apache-2.0
// Packing: the bytes of a packed buffer are those of a message.
#include <limits>

#include "kaon/ampi_shim/devices/device_copy.hpp"
#include "kaon/ampi_shim/interface/both_widths.hpp"
#include "kaon/ampi_shim/interface/communicator_arguments.hpp"
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"

using namespace kaon::ampi;

namespace {

/// Elements of a type and a buffer of bytes at some position, as every function here has them.
template <class Count>
struct Packing {
  const Datatype& type;
  Count count;
  Count size;  // of the buffer
  Count* position;

  void require_both(const void* elements, const void* buffer) const {
    require_memory(elements, count, type);
    require(buffer != nullptr || count == 0 || type.size() == 0, MPI_ERR_BUFFER, "the packed buffer is a null pointer");
  }

  /// Moves the position on; the old one is returned.
  Count advance() const {
    const std::int64_t bytes = bytes_of(count, type.size());
    require(bytes <= size - *position, MPI_ERR_TRUNCATE, "{} bytes at position {} do not fit into a buffer of {}",
            bytes, *position, size);
    const Count old = *position;
    *position = static_cast<Count>(old + bytes);
    return old;
  }
};

template <class Count>
Packing<Count> packing_arguments(Count count, MPI_Datatype datatype, Count size, Count* position) {
  require(count >= 0, MPI_ERR_COUNT, "the count is {}", count);
  require(size >= 0, MPI_ERR_ARG, "the size of the buffer is {}", size);
  require_place(position, "position");
  require(*position >= 0, MPI_ERR_ARG, "the position is {}", *position);
  return {committed_type_argument(datatype), count, size, position};
}

template <class Count>
int pack(const char* function, const void* elements, Count count, MPI_Datatype datatype, void* buffer, Count size,
         Count* position, MPI_Comm comm) {
  return communicator_call(function, comm, [&](Rank& rank, Communicator&) {
    const Packing<Count> packing = packing_arguments(count, datatype, size, position);
    packing.require_both(elements, buffer);
    const Count at = packing.advance();
    char* const packed = static_cast<char*>(buffer) + at;
    const ProgramData from{const_cast<void*>(elements), count, &packing.type};
    if (copied_by_device(rank, {packed, *position - at}, from)) return;
    packing.type.pack(packed, elements, count);
  });
}

template <class Count>
int unpack(const char* function, const void* buffer, Count size, Count* position, void* elements, Count count,
           MPI_Datatype datatype, MPI_Comm comm) {
  return communicator_call(function, comm, [&](Rank& rank, Communicator&) {
    const Packing<Count> packing = packing_arguments(count, datatype, size, position);
    packing.require_both(elements, buffer);
    const Count at = packing.advance();
    const char* const packed = static_cast<const char*>(buffer) + at;
    if (copied_by_device(rank, {elements, count, &packing.type}, {const_cast<char*>(packed), *position - at})) return;
    packing.type.unpack(elements, packed, count);
  });
}

template <class Count>
int pack_size(const char* function, Count count, MPI_Datatype datatype, MPI_Comm comm, Count* size) {
  return communicator_call(function, comm, [&](Rank&, Communicator&) {
    require(count >= 0, MPI_ERR_COUNT, "the count is {}", count);
    require_place(size, "size");
    const std::int64_t bytes = bytes_of(count, type_argument(datatype).size());
    *size = bytes > std::numeric_limits<Count>::max() ? Count{MPI_UNDEFINED} : static_cast<Count>(bytes);
  });
}

}  // namespace

KAON_BOTH_WIDTHS(MPI_Pack,
                 (const void* inbuf, Count incount, MPI_Datatype datatype, void* outbuf, Count outsize, Count* position,
                  MPI_Comm comm),
                 return pack(function, inbuf, incount, datatype, outbuf, outsize, position, comm))

KAON_BOTH_WIDTHS(MPI_Unpack,
                 (const void* inbuf, Count insize, Count* position, void* outbuf, Count outcount, MPI_Datatype datatype,
                  MPI_Comm comm),
                 return unpack(function, inbuf, insize, position, outbuf, outcount, datatype, comm))

KAON_BOTH_WIDTHS(MPI_Pack_size, (Count incount, MPI_Datatype datatype, MPI_Comm comm, Count* size),
                 return pack_size(function, incount, datatype, comm, size))
