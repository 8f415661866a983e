// SPDX-License-Identifier: Apache-2.0
// Step 1 of docs/tutorial.md: one chare on each PE says where it is.
#include <cstdio>
#include <string>

#include <kaon/kaon.hpp>

class Greeter : public kaon::Chare<Greeter> {
 public:
  std::string greet() { return "Hello from PE " + std::to_string(pe()); }
};

kaon::Task<int> hello(kaon::Runtime& runtime) {
  const auto greeters = co_await runtime.create_group<Greeter>();
  for (kaon::PeId pe = 0; pe < runtime.pes(); ++pe) {
    const std::string line = co_await greeters[static_cast<int>(pe)].call<&Greeter::greet>();
    std::puts(line.c_str());
  }
  co_return 0;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, hello); }
