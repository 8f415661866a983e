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
struct Same : Base {
  using serialized_whole = Same;
};
struct More : Same {  // what Same says of itself is not said of More
  int b = 0;
};

void pack(kaon::Writer& out, const More& more) { out(more); }
