// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/external32.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace kaon::ampi {

namespace {

static_assert(std::endian::native == std::endian::little);

template <class T>
void swap_to(char* external, const T& value) {
  std::memcpy(external, &value, sizeof value);
  std::reverse(external, external + sizeof value);
}

template <class T>
T swapped_from(const char* external) {
  char bytes[sizeof(T)];
  std::reverse_copy(external, external + sizeof(T), bytes);
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

/// One number in so many bytes. A long double is a quadruple there, whatever its format is here.
template <class T>
void write_number(char* external, T value, int bytes) {
  if constexpr (std::is_same_v<T, long double>) {
    swap_to(external, static_cast<Float128>(value));
  } else {
    char whole[sizeof(T)];
    swap_to(whole, value);
    std::memcpy(external, whole + (static_cast<int>(sizeof(T)) - bytes), static_cast<std::size_t>(bytes));
  }
}

template <class T>
T read_number(const char* external, int bytes) {
  if constexpr (std::is_same_v<T, long double>) {
    return static_cast<long double>(swapped_from<Float128>(external));
  } else {
    char whole[sizeof(T)];
    const bool is_negative = std::is_signed_v<T> && (static_cast<unsigned char>(external[0]) & 0x80) != 0;
    std::memset(whole, is_negative ? 0xff : 0, sizeof whole);
    std::memcpy(whole + (static_cast<int>(sizeof(T)) - bytes), external, static_cast<std::size_t>(bytes));
    return swapped_from<T>(whole);
  }
}

// The long double of x86 has ten bytes and six of padding, which nobody has set.
template <class T>
constexpr std::size_t kValueBytes = std::is_same_v<T, long double> && LDBL_MANT_DIG == 64 ? 10 : sizeof(T);

/// Both directions walk over the elements of a type alike. Addresses are numbers, since a buffer may be MPI_BOTTOM, a
/// null pointer, to which nothing can be added.
using Memory = std::uintptr_t;
struct Pack {
  using External = char*;
  template <class T>
  static void convert(Memory memory, char* external, int bytes) {
    T value;
    std::memcpy(&value, reinterpret_cast<const char*>(memory), sizeof value);
    write_number(external, value, bytes);
  }
};

struct Unpack {
  using External = const char*;
  template <class T>
  static void convert(Memory memory, const char* external, int bytes) {
    const T value = read_number<T>(external, bytes);
    std::memcpy(reinterpret_cast<char*>(memory), &value, kValueBytes<T>);
  }
};

template <class Direction>
class Walk {
 public:
  using External = typename Direction::External;

  /// `count` elements, and where the external data go on behind them.
  static External go(const TypeDefinition& type, Memory memory, External external, std::int64_t count) {
    if (type.elements.blocks.empty())
      return type.basic != nullptr ? numbers(*type.basic, memory, external, count) : external;
    const std::int64_t extent = type.bounds.extent();
    for (std::int64_t i = 0; i < count; ++i) external = one(type.elements, moved(memory, i * extent), external);
    return external;
  }

 private:
  static Memory moved(Memory memory, std::int64_t bytes) { return memory + static_cast<std::uintptr_t>(bytes); }

  static External one(const TypeElements& elements, Memory memory, External external) {
    for (std::int64_t i = 0; i < elements.count; ++i)
      for (std::size_t k = 0; k < elements.blocks.size(); ++k) {
        const TypeElements::Block& block = elements.blocks[k];
        external =
            go(elements.type_of(k), moved(memory, i * elements.stride + block.displacement), external, block.length);
      }
    return external;
  }

  static External numbers(const BasicType& basic, Memory memory, External external, std::int64_t count) {
    const int bytes = basic.external_bytes / basic.parts();
    return with_number_type(basic.number, [&](auto type) {
      using T = typename decltype(type)::Type;
      for (std::int64_t i = 0; i < count * basic.parts(); ++i) {
        Direction::template convert<T>(moved(memory, i * static_cast<std::int64_t>(sizeof(T))), external, bytes);
        external += bytes;
      }
      return external;
    });
  }
};

}  // namespace

void pack_external32(char* packed, const void* buffer, std::int64_t count, const TypeDefinition& type) {
  Walk<Pack>::go(type, reinterpret_cast<Memory>(buffer), packed, count);
}

void unpack_external32(void* buffer, const char* packed, std::int64_t count, const TypeDefinition& type) {
  Walk<Unpack>::go(type, reinterpret_cast<Memory>(buffer), packed, count);
}

}  // namespace kaon::ampi
