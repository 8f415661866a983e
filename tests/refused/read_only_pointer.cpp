// expect: a pointer means nothing in another process: send the value itself
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

kaon::ReadOnly<int*> variable;

kaon::Task<> use(kaon::Runtime& runtime) { co_await variable.set(runtime, nullptr); }
