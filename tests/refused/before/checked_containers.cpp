// expect: Kaon is built without _GLIBCXX_DEBUG, which makes other containers
// SPDX-License-Identifier: Apache-2.0
#define _GLIBCXX_DEBUG
#include <kaon/kaon.hpp>

int main() {}
