// expect: a pointer means nothing in another process: send the value itself
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <vector>

#include <kaon/kaon.hpp>

struct Particle {
  double mass;
  Particle* neighbor;
};

void pack(kaon::Writer& out, const std::map<int, std::vector<Particle>>& cells) { out(cells); }
