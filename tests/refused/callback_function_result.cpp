// expect: nobody waits for what the function returns
// SPDX-License-Identifier: Apache-2.0
#include <kaon/kaon.hpp>

int count(int value);

void use() { (void)kaon::callback<&count>(0); }
