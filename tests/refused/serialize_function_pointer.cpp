// expect: a function pointer means nothing in another process
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

struct Step {
  double (*kernel)(double);
};

void pack(kaon::Writer& out, const Step& step) { out(step); }
