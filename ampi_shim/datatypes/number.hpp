// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace kaon::ampi {

/// How the bytes of one number are to be read.
enum class Number : std::uint8_t {
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kInt128,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kUint128,
  kFloat16,
  kFloat32,
  kFloat64,
  kLongDouble,
  kFloat128,
};

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;
#if defined(__SIZEOF_FLOAT128__)
__extension__ using Float128 = __float128;
#else
using Float128 = long double;  // where that is the quadruple format, as on aarch64
#endif
using Float16 = _Float16;
static_assert(sizeof(Float128) == 16);

template <class T>
struct NumberType {
  using Type = T;
};

/// Calls `visit` with the NumberType that a number has in C++.
template <class Visit>
auto with_number_type(Number number, Visit visit) {
  switch (number) {
    case Number::kInt8:
      return visit(NumberType<std::int8_t>{});
    case Number::kInt16:
      return visit(NumberType<std::int16_t>{});
    case Number::kInt32:
      return visit(NumberType<std::int32_t>{});
    case Number::kInt64:
      return visit(NumberType<std::int64_t>{});
    case Number::kInt128:
      return visit(NumberType<Int128>{});
    case Number::kUint8:
      return visit(NumberType<std::uint8_t>{});
    case Number::kUint16:
      return visit(NumberType<std::uint16_t>{});
    case Number::kUint32:
      return visit(NumberType<std::uint32_t>{});
    case Number::kUint64:
      return visit(NumberType<std::uint64_t>{});
    case Number::kUint128:
      return visit(NumberType<Uint128>{});
    case Number::kFloat16:
      return visit(NumberType<Float16>{});
    case Number::kFloat32:
      return visit(NumberType<float>{});
    case Number::kFloat64:
      return visit(NumberType<double>{});
    case Number::kLongDouble:
      return visit(NumberType<long double>{});
    case Number::kFloat128:
      break;
  }
  return visit(NumberType<Float128>{});
}

constexpr bool is_floating(Number number) { return number >= Number::kFloat16; }
constexpr bool is_signed_integer(Number number) { return number <= Number::kInt128; }

}  // namespace kaon::ampi
