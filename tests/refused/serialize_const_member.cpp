// expect: a const member cannot be filled in where it arrives
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Fixed {
  const int size;
  double value;
};

void pack(kaon::Writer& out, const Fixed& fixed) { out(fixed); }
