// expect: post(f): f returns a value that nobody gets: use call(f)
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

void use(const kaon::Outside& outside) {
  outside.post([] { return 1; });
}
