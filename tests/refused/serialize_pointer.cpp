// expect: a pointer means nothing in another process: send the value itself
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

void pack(kaon::Writer& out, double* values) { out(values); }
