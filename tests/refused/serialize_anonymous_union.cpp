// expect: a union does not say which of its members it holds
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <kaon/kaon.hpp>

struct Tagged {
  std::string name;
  union {
    int number;
    float fraction;
  };
};

void pack(kaon::Writer& out, const Tagged& tagged) { out(tagged); }
