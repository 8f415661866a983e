// expect: a reference means nothing in another process
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <kaon/kaon.hpp>

struct Named {
  const std::string& name;
  int value;
};

void pack(kaon::Writer& out, const Named& named) { out(named); }
