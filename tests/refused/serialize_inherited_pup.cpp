// expect: a base class says how it is serialized and does not know what this class adds
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Base {
  int a = 0;
  template <class Archive>
  void pup(Archive& ar) {
    ar(a);
  }
};
struct Derived : Base {
  int b = 0;
};

void unpack(kaon::Reader& in, Derived& derived) { in(derived); }
