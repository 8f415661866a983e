// expect: a base class says how it is serialized and does not know what this class adds
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Base {
 public:
  template <class Archive>
  void save(Archive& ar) const {
    ar(a_);
  }
  template <class Archive>
  void load(Archive& ar) {
    ar(a_);
  }

 protected:
  int a_ = 0;
};
class Derived : public Base {
 public:
  template <class Archive>
  void save(Archive& ar) const {
    ar(a_, b_);
  }

 private:
  int b_ = 0;
};

void pack(kaon::Writer& out, const Derived& derived) { out(derived); }
