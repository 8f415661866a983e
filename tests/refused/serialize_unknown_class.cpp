// expect: this type does not say how it is serialized
// SPDX-License-Identifier: Apache-2.0
#include <mutex>

#include <kaon/kaon.hpp>

struct Counter {
  std::mutex lock;
  int value;
};

void pack(kaon::Writer& out, const Counter& counter) { out(counter); }
