// SPDX-License-Identifier: Apache-2.0
// Packing in the external32 representation, the one that the standard knows.
#include <string_view>

#include "kaon/ampi_shim/datatypes/external32.hpp"
#include "kaon/ampi_shim/interface/both_widths.hpp"
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"
#include "kaon/ampi_shim/interface/host_copies.hpp"

using namespace kaon::ampi;

namespace {

void require_external32(const char* representation) {
  require_place(representation, "datarep");
  require(std::string_view(representation) == "external32", MPI_ERR_UNSUPPORTED_DATAREP,
          "the representation of data is '{}': only external32 is known", representation);
}

void require_both(const void* elements, const void* buffer, MPI_Count count, const Datatype& type) {
  require_memory(elements, count, type);
  require(buffer != nullptr || count == 0 || type.size() == 0, MPI_ERR_BUFFER, "the packed buffer is a null pointer");
}

/// Where the data are in the buffer; moves the position behind them.
template <class Count, class Size>
std::int64_t advance(const char* representation, Count count, const Datatype& type, Size size, Size* position) {
  require_external32(representation);
  require(count >= 0, MPI_ERR_COUNT, "the count is {}", count);
  require_place(position, "position");
  require(*position >= 0, MPI_ERR_ARG, "the position is {}", *position);
  const std::int64_t bytes = bytes_of(count, type.definition().external_bytes);
  require(bytes <= size - *position, MPI_ERR_TRUNCATE, "{} bytes at position {} do not fit into a buffer of {}", bytes,
          *position, size);
  const std::int64_t old = *position;
  *position = old + bytes;
  return old;
}

template <class Count, class Size>
int pack(const char* function, const char* representation, const void* elements, Count count, MPI_Datatype datatype,
         void* buffer, Size size, Size* position) {
  return mpi_call(function, [&] {
    const Datatype& type = committed_type_argument(datatype);
    require_both(elements, buffer, count, type);
    const std::int64_t at = advance(representation, count, type, size, position);
    Rank& rank = running_rank();
    const HostCopy from(rank, elements, count, type);
    HostCopy packed(rank, static_cast<char*>(buffer) + at, *position - at, *Datatype::of(MPI_BYTE));
    pack_external32(static_cast<char*>(packed.data()), from.data(), count, type.definition());
    packed.copy_back();
  });
}

template <class Count, class Size>
int unpack(const char* function, const char* representation, const void* buffer, Size size, Size* position,
           void* elements, Count count, MPI_Datatype datatype) {
  return mpi_call(function, [&] {
    const Datatype& type = committed_type_argument(datatype);
    require_both(elements, buffer, count, type);
    const std::int64_t at = advance(representation, count, type, size, position);
    Rank& rank = running_rank();
    const HostCopy packed(rank, static_cast<const char*>(buffer) + at, *position - at, *Datatype::of(MPI_BYTE));
    HostCopy to(rank, elements, count, type);
    unpack_external32(to.data(), static_cast<const char*>(packed.data()), count, type.definition());
    to.copy_back();
  });
}

template <class Count, class Size>
int pack_size(const char* function, const char* representation, Count count, MPI_Datatype datatype, Size* size) {
  return mpi_call(function, [&] {
    require_external32(representation);
    require(count >= 0, MPI_ERR_COUNT, "the count is {}", count);
    require_place(size, "size");
    *size = bytes_of(count, type_argument(datatype).definition().external_bytes);
  });
}

}  // namespace

KAON_BOTH_WIDTHS(MPI_Pack_external,
                 (const char* datarep, const void* inbuf, Count incount, MPI_Datatype datatype, void* outbuf,
                  Bytes outsize, Bytes* position),
                 return pack(function, datarep, inbuf, incount, datatype, outbuf, outsize, position))

KAON_BOTH_WIDTHS(MPI_Unpack_external,
                 (const char datarep[], const void* inbuf, Bytes insize, Bytes* position, void* outbuf, Count outcount,
                  MPI_Datatype datatype),
                 return unpack(function, datarep, inbuf, insize, position, outbuf, outcount, datatype))

KAON_BOTH_WIDTHS(MPI_Pack_external_size, (const char* datarep, Count incount, MPI_Datatype datatype, Bytes* size),
                 return pack_size(function, datarep, incount, datatype, size))
