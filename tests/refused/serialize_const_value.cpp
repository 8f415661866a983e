// expect: a const value cannot be read into
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

void unpack(kaon::Reader& in, const int& value) { in(value); }
