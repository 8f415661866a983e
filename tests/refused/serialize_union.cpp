// expect: this type does not say how it is serialized
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

union Either {
  int number;
  float fraction;
};

void pack(kaon::Writer& out, const Either& either) { out(either); }
