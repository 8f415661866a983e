// expect: a base class says how it is serialized and does not know what this class adds
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Base {
 public:
  template <class Archive>
  void serialize(Archive& ar, const unsigned) {
    ar& a_;
  }

 private:
  int a_ = 0;
};
class Derived : public Base {
 public:
  using Base::serialize;  // does not make it the derived class's own

 private:
  int b_ = 0;
};

void pack(kaon::Writer& out, const Derived& derived) { out(derived); }
