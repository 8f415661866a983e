// SPDX-License-Identifier: Apache-2.0
// Chares on a ring elect one of them. The protocol is in candidate.hpp; election_test.cpp tests it.
#include <cstdio>

#include "candidate.hpp"

kaon::Task<int> election(kaon::Runtime& runtime) {
  constexpr int kCandidates = 100, kStep = 37;
  auto candidates = co_await runtime.create<Candidate>(kCandidates, kStep);
  const int leader = co_await candidates[0].call<&Candidate::elect>();
  std::printf("%d of 0 to %d is elected\n", leader, kCandidates - 1);
  co_return leader == kCandidates - 1 ? 0 : 1;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, election); }
