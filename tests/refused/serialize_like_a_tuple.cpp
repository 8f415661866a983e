// expect: this class looks like a container and may hold more than its elements
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <utility>

#include <kaon/kaon.hpp>

struct Ranked {
  int value;
  int rank;
};
template <std::size_t>
int& get(Ranked& ranked) {
  return ranked.value;
}
template <>
struct std::tuple_size<Ranked> : std::integral_constant<std::size_t, 1> {};
template <>
struct std::tuple_element<0, Ranked> {
  using type = int;
};

void pack(kaon::Writer& out, const Ranked& ranked) { out(ranked); }
