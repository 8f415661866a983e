// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstring>
#include <random>
#include <set>
#include <vector>

#include "kaon/ampi_shim/datatypes/operation.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi::testing {

namespace {

constexpr std::size_t kElements = 37;  // more than a vector, and not whole ones

using Operations = std::set<MPI_Op>;

const Operations kArithmetic{MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN};
const Operations kLogical{MPI_LAND, MPI_LOR, MPI_LXOR};
const Operations kBitwise{MPI_BAND, MPI_BOR, MPI_BXOR};
const Operations kLocation{MPI_MINLOC, MPI_MAXLOC};
const Operations kOfWindows{MPI_REPLACE, MPI_NO_OP};

Operations all_of(std::initializer_list<Operations> groups) {
  Operations all;
  for (const Operations& group : groups) all.insert(group.begin(), group.end());
  return all;
}

void check_allowed(MPI_Datatype handle, const Operations& allowed) {
  const Datatype& type = *Datatype::of(handle);
  for (const Operations& group : {kArithmetic, kLogical, kBitwise, kLocation, kOfWindows})
    for (const MPI_Op op : group) {
      CAPTURE(type.name(), name_of(*Operation::of(op)));
      CHECK(Operation::of(op)->accepts(type) == allowed.contains(op));
    }
}

/// Element by element, with what the standard says of one.
template <class T, class Scalar>
void check_loop(MPI_Datatype handle, MPI_Op op, const std::vector<T>& in, const std::vector<T>& old, Scalar scalar) {
  const Datatype& type = *Datatype::of(handle);
  CAPTURE(type.name(), name_of(*Operation::of(op)));
  REQUIRE(type.size() == static_cast<std::int64_t>(sizeof(T)));
  REQUIRE(Operation::of(op)->kernel(type) != nullptr);
  std::vector<T> inout = old;
  Operation::of(op)->apply(in.data(), inout.data(), static_cast<std::int64_t>(in.size()), type);
  bool is_right = true;
  for (std::size_t i = 0; i < in.size(); ++i) is_right = is_right && inout[i] == scalar(in[i], old[i]);
  CHECK(is_right);
}

template <class T>
std::vector<T> numbers(int seed, int from, int to) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::vector<T> result;
  for (std::size_t i = 0; i < kElements; ++i)
    result.push_back(static_cast<T>(std::uniform_int_distribution<int>(from, to)(random)));
  return result;
}

template <class T>
void check_logical(MPI_Datatype type) {
  const auto a = numbers<T>(1, 0, 2);
  const auto b = numbers<T>(2, 0, 2);
  const T no{};
  const auto word = [](bool value) { return static_cast<T>(value ? 1 : 0); };
  check_loop(type, MPI_LAND, a, b, [&](T x, T y) { return word(x != no && y != no); });
  check_loop(type, MPI_LOR, a, b, [&](T x, T y) { return word(x != no || y != no); });
  check_loop(type, MPI_LXOR, a, b, [&](T x, T y) { return word((x != no) != (y != no)); });
}

template <class T>
void check_of_windows(MPI_Datatype type, const std::vector<T>& a, const std::vector<T>& b) {
  check_loop(type, MPI_REPLACE, a, b, [](T x, T) { return x; });
  check_loop(type, MPI_NO_OP, a, b, [](T, T y) { return y; });
}

template <class T>
void check_arithmetic(MPI_Datatype type, int from, int to) {
  const auto a = numbers<T>(3, from, to);
  const auto b = numbers<T>(4, from, to);
  check_loop(type, MPI_SUM, a, b, [](T x, T y) { return static_cast<T>(x + y); });
  check_loop(type, MPI_PROD, a, b, [](T x, T y) { return static_cast<T>(x * y); });
  check_loop(type, MPI_MAX, a, b, [](T x, T y) { return x < y ? y : x; });
  check_loop(type, MPI_MIN, a, b, [](T x, T y) { return y < x ? y : x; });
  check_of_windows(type, a, b);
}

template <class T>
void check_bitwise(MPI_Datatype type) {
  const auto a = numbers<T>(5, -1000000, 1000000);
  const auto b = numbers<T>(6, -1000000, 1000000);
  check_loop(type, MPI_BAND, a, b, [](T x, T y) { return static_cast<T>(x & y); });
  check_loop(type, MPI_BOR, a, b, [](T x, T y) { return static_cast<T>(x | y); });
  check_loop(type, MPI_BXOR, a, b, [](T x, T y) { return static_cast<T>(x ^ y); });
}

template <class T>
void check_integer(MPI_Datatype type) {
  check_allowed(type, all_of({kArithmetic, kLogical, kBitwise}));
  check_arithmetic<T>(type, std::is_signed_v<T> ? -9 : 0, 11);
  check_logical<T>(type);
  check_bitwise<T>(type);
}

template <class T>
void check_fortran_integer(MPI_Datatype type) {
  check_allowed(type, all_of({kArithmetic, kBitwise}));
  check_arithmetic<T>(type, -9, 11);
  check_bitwise<T>(type);
}

template <class T>
void check_floating(MPI_Datatype type) {
  check_allowed(type, all_of({kArithmetic}));
  check_arithmetic<T>(type, -9, 11);
}

template <class T>
void check_complex(MPI_Datatype type) {
  using C = std::complex<T>;
  check_allowed(type, all_of({{MPI_SUM, MPI_PROD}}));
  const auto real = numbers<T>(7, -9, 11);
  const auto imaginary = numbers<T>(8, -9, 11);
  std::vector<C> a, b;
  for (std::size_t i = 0; i < kElements; ++i) {
    a.emplace_back(real[i], imaginary[i]);
    b.emplace_back(imaginary[i], real[kElements - 1 - i]);
  }
  check_loop(type, MPI_SUM, a, b, [](C x, C y) { return x + y; });
  check_loop(type, MPI_PROD, a, b, [](C x, C y) { return x * y; });
  check_of_windows(type, a, b);
}

template <class T>
void check_logical_type(MPI_Datatype type) {
  check_allowed(type, all_of({kLogical}));
  check_logical<T>(type);
}

template <class Value, class Index>
struct Pair {
  Value value;
  Index index;
  friend bool operator==(const Pair&, const Pair&) = default;
};

template <class Value, class Index>
void check_pair(MPI_Datatype handle) {
  using P = Pair<Value, Index>;
  const Datatype& type = *Datatype::of(handle);
  CAPTURE(type.name());
  check_allowed(handle, all_of({kLocation}));
  REQUIRE(type.extent() == static_cast<std::int64_t>(sizeof(P)));
  const auto values = numbers<Value>(9, -3, 3);  // often equal
  const auto indices = numbers<Index>(10, 0, 5);
  std::vector<P> a, b, maxima, minima;
  for (std::size_t i = 0; i < kElements; ++i) {
    const std::size_t k = kElements - 1 - i;
    a.push_back({values[i], indices[i]});
    b.push_back({values[k], indices[k]});
    const Index lower = std::min(indices[i], indices[k]);
    const bool is_equal = values[i] == values[k];
    maxima.push_back(is_equal ? P{values[i], lower} : values[i] > values[k] ? a[i] : b[i]);
    minima.push_back(is_equal ? P{values[i], lower} : values[i] < values[k] ? a[i] : b[i]);
  }
  std::vector<P> inout = b;
  Operation::of(MPI_MAXLOC)->apply(a.data(), inout.data(), kElements, type);
  CHECK(inout == maxima);
  inout = b;
  Operation::of(MPI_MINLOC)->apply(a.data(), inout.data(), kElements, type);
  CHECK(inout == minima);
  Operation::of(MPI_REPLACE)->apply(a.data(), inout.data(), kElements, type);
  CHECK(inout == a);
}

}  // namespace

TEST_CASE("predefined operations do to integers what C does", "[ampi][operations]") {
  check_integer<char>(MPI_CHAR);
  check_integer<signed char>(MPI_SIGNED_CHAR);
  check_integer<unsigned char>(MPI_UNSIGNED_CHAR);
  check_integer<short>(MPI_SHORT);
  check_integer<unsigned short>(MPI_UNSIGNED_SHORT);
  check_integer<int>(MPI_INT);
  check_integer<unsigned>(MPI_UNSIGNED);
  check_integer<long>(MPI_LONG);
  check_integer<unsigned long>(MPI_UNSIGNED_LONG);
  check_integer<long long>(MPI_LONG_LONG);
  check_integer<long long>(MPI_LONG_LONG_INT);
  check_integer<unsigned long long>(MPI_UNSIGNED_LONG_LONG);
  check_integer<std::int8_t>(MPI_INT8_T);
  check_integer<std::int16_t>(MPI_INT16_T);
  check_integer<std::int32_t>(MPI_INT32_T);
  check_integer<std::int64_t>(MPI_INT64_T);
  check_integer<std::uint8_t>(MPI_UINT8_T);
  check_integer<std::uint16_t>(MPI_UINT16_T);
  check_integer<std::uint32_t>(MPI_UINT32_T);
  check_integer<std::uint64_t>(MPI_UINT64_T);
}

TEST_CASE("the multi-language types are integers, and Fortran's have no logical operations", "[ampi][operations]") {
  check_integer<MPI_Aint>(MPI_AINT);
  check_integer<MPI_Count>(MPI_COUNT);
  check_integer<MPI_Offset>(MPI_OFFSET);
  check_fortran_integer<int>(MPI_INTEGER);
  check_fortran_integer<std::int8_t>(MPI_INTEGER1);
  check_fortran_integer<std::int16_t>(MPI_INTEGER2);
  check_fortran_integer<std::int32_t>(MPI_INTEGER4);
  check_fortran_integer<std::int64_t>(MPI_INTEGER8);
  check_fortran_integer<Int128>(MPI_INTEGER16);
}

TEST_CASE("predefined operations take floating point of every size", "[ampi][operations]") {
  check_floating<float>(MPI_FLOAT);
  check_floating<double>(MPI_DOUBLE);
  check_floating<long double>(MPI_LONG_DOUBLE);
  check_floating<float>(MPI_REAL);
  check_floating<double>(MPI_DOUBLE_PRECISION);
  check_floating<Float16>(MPI_REAL2);
  check_floating<float>(MPI_REAL4);
  check_floating<double>(MPI_REAL8);
  check_floating<Float128>(MPI_REAL16);
}

TEST_CASE("complex numbers have sums and products alone", "[ampi][operations]") {
  check_complex<float>(MPI_C_COMPLEX);
  check_complex<float>(MPI_C_FLOAT_COMPLEX);
  check_complex<double>(MPI_C_DOUBLE_COMPLEX);
  check_complex<long double>(MPI_C_LONG_DOUBLE_COMPLEX);
  check_complex<float>(MPI_CXX_FLOAT_COMPLEX);
  check_complex<double>(MPI_CXX_DOUBLE_COMPLEX);
  check_complex<long double>(MPI_CXX_LONG_DOUBLE_COMPLEX);
  check_complex<float>(MPI_COMPLEX);
  check_complex<double>(MPI_DOUBLE_COMPLEX);
  check_complex<float>(MPI_COMPLEX8);
  check_complex<double>(MPI_COMPLEX16);
  check_allowed(MPI_COMPLEX4, all_of({{MPI_SUM, MPI_PROD}}));
  check_allowed(MPI_COMPLEX32, all_of({{MPI_SUM, MPI_PROD}}));
}

TEST_CASE("logical types have logical operations, bytes those of bits", "[ampi][operations]") {
  check_logical_type<unsigned char>(MPI_C_BOOL);
  check_logical_type<unsigned char>(MPI_CXX_BOOL);
  check_logical_type<int>(MPI_LOGICAL);
  check_logical_type<std::int8_t>(MPI_LOGICAL1);
  check_logical_type<std::int16_t>(MPI_LOGICAL2);
  check_logical_type<std::int32_t>(MPI_LOGICAL4);
  check_logical_type<std::int64_t>(MPI_LOGICAL8);
  check_logical_type<Int128>(MPI_LOGICAL16);
  check_allowed(MPI_BYTE, all_of({kBitwise}));
  check_bitwise<unsigned char>(MPI_BYTE);
  for (const MPI_Datatype text : {MPI_CHARACTER, MPI_WCHAR, MPI_PACKED}) check_allowed(text, {});
}

TEST_CASE("what lies between pairs, and behind the last one, is left alone", "[ampi][operations]") {
  using P = Pair<double, int>;
  constexpr std::size_t kIndexEnd = offsetof(P, index) + sizeof(int);
  static_assert(kIndexEnd < sizeof(P));
  const Datatype& type = *Datatype::of(MPI_DOUBLE_INT);
  const MPI_Op operation = GENERATE(MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE);
  const P taken{operation == MPI_MAXLOC ? 5.0 : -5.0, 3};
  // They end with the last index: AddressSanitizer sees who goes beyond.
  std::vector<std::byte> from(sizeof(P) + kIndexEnd, std::byte{1}), into(sizeof(P) + kIndexEnd, std::byte{2});
  for (std::size_t at : {std::size_t{0}, sizeof(P)}) {
    const P other{0.0, 7};
    std::memcpy(&from[at], &taken, kIndexEnd);
    std::memcpy(&into[at], &other, kIndexEnd);
  }
  Operation::of(operation)->apply(from.data(), into.data(), 2, type);
  for (std::size_t at : {std::size_t{0}, sizeof(P)}) CHECK(std::memcmp(&into[at], &taken, kIndexEnd) == 0);
  for (std::size_t i = kIndexEnd; i < sizeof(P); ++i) CHECK(into[i] == std::byte{2});
}

TEST_CASE("of equal values a pair's lower index is taken", "[ampi][operations]") {
  check_pair<float, int>(MPI_FLOAT_INT);
  check_pair<double, int>(MPI_DOUBLE_INT);
  check_pair<long, int>(MPI_LONG_INT);
  check_pair<int, int>(MPI_2INT);
  check_pair<short, int>(MPI_SHORT_INT);
  check_pair<long double, int>(MPI_LONG_DOUBLE_INT);
  check_pair<float, float>(MPI_2REAL);
  check_pair<double, double>(MPI_2DOUBLE_PRECISION);
  check_pair<int, int>(MPI_2INTEGER);
}

TEST_CASE("integer sums that overflow wrap", "[ampi][operations]") {
  const std::vector<int> a(kElements, 2147483647);
  const std::vector<int> b(kElements, 2);
  check_loop(MPI_INT, MPI_SUM, a, b, [](int, int) { return -2147483647; });
  check_loop(MPI_INT, MPI_PROD, a, b, [](int, int) { return -2; });
}

}  // namespace kaon::ampi::testing
