// expect: an object is read into a new one
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Shape {
  virtual ~Shape() = default;
  template <class Archive>
  void pup(Archive&) {}
};
struct Square : Shape {
  explicit Square(double side);
  template <class Archive>
  void pup(Archive&) {}
};

inline const kaon::PolymorphicType<Shape, Square> square;
