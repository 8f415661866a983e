// expect: a union does not say which of its members it holds
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

union Either {
  int number;
  float fraction;
};

void pack(kaon::Writer& out, const Either& either) { out(either); }
