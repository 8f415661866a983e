// expect: the comparator or hash of a set or map does not travel, and this one has members
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <kaon/kaon.hpp>

struct ByDistance {
  int origin = 0;
  bool operator()(int a, int b) const { return (a - origin) * (a - origin) < (b - origin) * (b - origin); }
};

void pack(kaon::Writer& out, const std::set<int, ByDistance>& points) { out(points); }
