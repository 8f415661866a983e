// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/basic_type.hpp"

#include <array>
#include <climits>
#include <cwchar>

namespace kaon::ampi {

namespace {

// Handles are numbers cast to pointers, which no constant expression may do: these tables are made at start.
BasicType integer(MPI_Datatype handle, const char* name, Number number, int external_bytes) {
  return {handle, name, BasicGroup::kInteger, number, static_cast<std::int8_t>(external_bytes)};
}
BasicType fortran_integer(MPI_Datatype handle, const char* name, Number number, int external_bytes) {
  return {handle, name, BasicGroup::kFortranInteger, number, static_cast<std::int8_t>(external_bytes)};
}
BasicType floating(MPI_Datatype handle, const char* name, Number number, int external_bytes) {
  return {handle, name, BasicGroup::kFloating, number, static_cast<std::int8_t>(external_bytes)};
}
BasicType complex(MPI_Datatype handle, const char* name, Number number, int external_bytes) {
  return {handle, name, BasicGroup::kComplex, number, static_cast<std::int8_t>(external_bytes)};
}
BasicType logical(MPI_Datatype handle, const char* name, Number number, int external_bytes) {
  return {handle, name, BasicGroup::kLogical, number, static_cast<std::int8_t>(external_bytes)};
}

constexpr Number kChar = CHAR_MIN < 0 ? Number::kInt8 : Number::kUint8;
static_assert(sizeof(long) == 8 && sizeof(wchar_t) == 4 && sizeof(bool) == 1);

// Of types with two names MPI_Type_get_name tells the one that older versions of the standard have.
// external32 has four bytes for the longs of C and two for wide characters, whatever they have here.
const std::array kBasicTypes = {
    integer(MPI_AINT, "MPI_AINT", Number::kInt64, 8),
    integer(MPI_COUNT, "MPI_COUNT", Number::kInt64, 8),
    integer(MPI_OFFSET, "MPI_OFFSET", Number::kInt64, 8),
    BasicType{MPI_PACKED, "MPI_PACKED", BasicGroup::kPacked, Number::kUint8, 1},
    BasicType{MPI_BYTE, "MPI_BYTE", BasicGroup::kByte, Number::kUint8, 1},
    integer(MPI_CHAR, "MPI_CHAR", kChar, 1),
    integer(MPI_SIGNED_CHAR, "MPI_SIGNED_CHAR", Number::kInt8, 1),
    integer(MPI_UNSIGNED_CHAR, "MPI_UNSIGNED_CHAR", Number::kUint8, 1),
    BasicType{MPI_WCHAR, "MPI_WCHAR", BasicGroup::kCharacter, Number::kInt32, 2},
    integer(MPI_SHORT, "MPI_SHORT", Number::kInt16, 2),
    integer(MPI_INT, "MPI_INT", Number::kInt32, 4),
    integer(MPI_LONG, "MPI_LONG", Number::kInt64, 4),
    integer(MPI_LONG_LONG, "MPI_LONG_LONG_INT", Number::kInt64, 8),
    integer(MPI_UNSIGNED_SHORT, "MPI_UNSIGNED_SHORT", Number::kUint16, 2),
    integer(MPI_UNSIGNED, "MPI_UNSIGNED", Number::kUint32, 4),
    integer(MPI_UNSIGNED_LONG, "MPI_UNSIGNED_LONG", Number::kUint64, 4),
    integer(MPI_UNSIGNED_LONG_LONG, "MPI_UNSIGNED_LONG_LONG", Number::kUint64, 8),
    integer(MPI_INT8_T, "MPI_INT8_T", Number::kInt8, 1),
    integer(MPI_INT16_T, "MPI_INT16_T", Number::kInt16, 2),
    integer(MPI_INT32_T, "MPI_INT32_T", Number::kInt32, 4),
    integer(MPI_INT64_T, "MPI_INT64_T", Number::kInt64, 8),
    integer(MPI_UINT8_T, "MPI_UINT8_T", Number::kUint8, 1),
    integer(MPI_UINT16_T, "MPI_UINT16_T", Number::kUint16, 2),
    integer(MPI_UINT32_T, "MPI_UINT32_T", Number::kUint32, 4),
    integer(MPI_UINT64_T, "MPI_UINT64_T", Number::kUint64, 8),
    floating(MPI_FLOAT, "MPI_FLOAT", Number::kFloat32, 4),
    floating(MPI_DOUBLE, "MPI_DOUBLE", Number::kFloat64, 8),
    floating(MPI_LONG_DOUBLE, "MPI_LONG_DOUBLE", Number::kLongDouble, 16),
    complex(MPI_C_FLOAT_COMPLEX, "MPI_C_COMPLEX", Number::kFloat32, 8),
    complex(MPI_C_DOUBLE_COMPLEX, "MPI_C_DOUBLE_COMPLEX", Number::kFloat64, 16),
    complex(MPI_C_LONG_DOUBLE_COMPLEX, "MPI_C_LONG_DOUBLE_COMPLEX", Number::kLongDouble, 32),
    complex(MPI_CXX_FLOAT_COMPLEX, "MPI_CXX_FLOAT_COMPLEX", Number::kFloat32, 8),
    complex(MPI_CXX_DOUBLE_COMPLEX, "MPI_CXX_DOUBLE_COMPLEX", Number::kFloat64, 16),
    complex(MPI_CXX_LONG_DOUBLE_COMPLEX, "MPI_CXX_LONG_DOUBLE_COMPLEX", Number::kLongDouble, 32),
    logical(MPI_C_BOOL, "MPI_C_BOOL", Number::kUint8, 1),
    logical(MPI_CXX_BOOL, "MPI_CXX_BOOL", Number::kUint8, 1),
    BasicType{MPI_CHARACTER, "MPI_CHARACTER", BasicGroup::kCharacter, Number::kUint8, 1},
    logical(MPI_LOGICAL, "MPI_LOGICAL", Number::kUint32, 4),
    fortran_integer(MPI_INTEGER, "MPI_INTEGER", Number::kInt32, 4),
    floating(MPI_REAL, "MPI_REAL", Number::kFloat32, 4),
    complex(MPI_COMPLEX, "MPI_COMPLEX", Number::kFloat32, 8),
    floating(MPI_DOUBLE_PRECISION, "MPI_DOUBLE_PRECISION", Number::kFloat64, 8),
    complex(MPI_DOUBLE_COMPLEX, "MPI_DOUBLE_COMPLEX", Number::kFloat64, 16),
    logical(MPI_LOGICAL1, "MPI_LOGICAL1", Number::kUint8, 1),
    logical(MPI_LOGICAL2, "MPI_LOGICAL2", Number::kUint16, 2),
    logical(MPI_LOGICAL4, "MPI_LOGICAL4", Number::kUint32, 4),
    logical(MPI_LOGICAL8, "MPI_LOGICAL8", Number::kUint64, 8),
    logical(MPI_LOGICAL16, "MPI_LOGICAL16", Number::kUint128, 16),
    fortran_integer(MPI_INTEGER1, "MPI_INTEGER1", Number::kInt8, 1),
    fortran_integer(MPI_INTEGER2, "MPI_INTEGER2", Number::kInt16, 2),
    fortran_integer(MPI_INTEGER4, "MPI_INTEGER4", Number::kInt32, 4),
    fortran_integer(MPI_INTEGER8, "MPI_INTEGER8", Number::kInt64, 8),
    fortran_integer(MPI_INTEGER16, "MPI_INTEGER16", Number::kInt128, 16),
    floating(MPI_REAL2, "MPI_REAL2", Number::kFloat16, 2),
    floating(MPI_REAL4, "MPI_REAL4", Number::kFloat32, 4),
    floating(MPI_REAL8, "MPI_REAL8", Number::kFloat64, 8),
    floating(MPI_REAL16, "MPI_REAL16", Number::kFloat128, 16),
    complex(MPI_COMPLEX4, "MPI_COMPLEX4", Number::kFloat16, 4),
    complex(MPI_COMPLEX8, "MPI_COMPLEX8", Number::kFloat32, 8),
    complex(MPI_COMPLEX16, "MPI_COMPLEX16", Number::kFloat64, 16),
    complex(MPI_COMPLEX32, "MPI_COMPLEX32", Number::kFloat128, 32),
};

const std::array kPairTypes = {
    PairType{MPI_FLOAT_INT, "MPI_FLOAT_INT", MPI_FLOAT, MPI_INT},
    PairType{MPI_DOUBLE_INT, "MPI_DOUBLE_INT", MPI_DOUBLE, MPI_INT},
    PairType{MPI_LONG_INT, "MPI_LONG_INT", MPI_LONG, MPI_INT},
    PairType{MPI_2INT, "MPI_2INT", MPI_INT, MPI_INT},
    PairType{MPI_SHORT_INT, "MPI_SHORT_INT", MPI_SHORT, MPI_INT},
    PairType{MPI_LONG_DOUBLE_INT, "MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE, MPI_INT},
    PairType{MPI_2REAL, "MPI_2REAL", MPI_REAL, MPI_REAL},
    PairType{MPI_2DOUBLE_PRECISION, "MPI_2DOUBLE_PRECISION", MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION},
    PairType{MPI_2INTEGER, "MPI_2INTEGER", MPI_INTEGER, MPI_INTEGER},
};

}  // namespace

int BasicType::bytes() const {
  return parts() * with_number_type(number, [](auto type) { return int{sizeof(typename decltype(type)::Type)}; });
}

int BasicType::alignment() const {
  return with_number_type(number, [](auto type) { return int{alignof(typename decltype(type)::Type)}; });
}

std::span<const BasicType> basic_types() { return kBasicTypes; }
std::span<const PairType> pair_types() { return kPairTypes; }

}  // namespace kaon::ampi
