// expect: this type does not say how it is serialized
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

class Secret {
 public:
  int value() const { return value_; }

 private:
  int value_ = 0;
};

void pack(kaon::Writer& out, const Secret& secret) { out(secret); }
