// expect: a base class says how it is serialized and does not know what this class adds
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <kaon/kaon.hpp>

namespace shapes {
template <class T>
class Base {
 public:
  T a;
};
template <class Archive, class T>
void serialize(Archive& ar, Base<T>& base) {
  ar(base.a);
}
class Derived : public Base<std::string> {
 public:
  int b = 0;
};
}  // namespace shapes

void pack(kaon::Writer& out, const shapes::Derived& derived) { out(derived); }
