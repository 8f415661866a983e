// expect: a struct with a base class does not show its members
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include <kaon/kaon.hpp>

class Handle {
 public:
  Handle() = default;
  Handle(Handle&&) = default;

 private:
  int number_ = 0;
};
struct Shape : Handle {};
struct Circle : Shape {  // moves, and does not copy
  double radius;
};

void pack(kaon::Writer& out, const Circle& circle) { out(circle); }
