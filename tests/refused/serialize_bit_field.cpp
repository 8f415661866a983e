// expect: a bit-field cannot be filled in where it arrives
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Flags {
  int number;
  unsigned color : 3;
};

void pack(kaon::Writer& out, const Flags& flags) { out(flags); }
