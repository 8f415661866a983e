// expect: an aggregate of more than 32 members does not show them
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Many {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd, ee, ff;
  int one_too_many[2];
};

void pack(kaon::Writer& out, const Many& many) { out(many); }
