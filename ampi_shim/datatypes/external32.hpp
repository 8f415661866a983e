// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/ampi_shim/datatypes/type_definition.hpp"

namespace kaon::ampi {

// The external32 representation of data: big-endian, of the sizes of the standard, one after the other. Integers that
// are longer here lose their upper bytes; those of wide characters and of C's longs are shorter there.

/// Writes type.external_bytes * count bytes.
void pack_external32(char* packed, const void* buffer, std::int64_t count, const TypeDefinition& type);
void unpack_external32(void* buffer, const char* packed, std::int64_t count, const TypeDefinition& type);

}  // namespace kaon::ampi
