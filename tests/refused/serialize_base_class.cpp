// expect: a struct with a base class does not show its members
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Shape {
  int id;
};
struct Circle : Shape {
  double radius;
};

void pack(kaon::Writer& out, const Circle& circle) { out(circle); }
