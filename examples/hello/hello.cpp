// SPDX-License-Identifier: Apache-2.0
// One chare on each PE says where it is.
#include <cstdio>
#include <string>

#include <kaon/kaon.hpp>

class Greeter : public kaon::Chare<Greeter> {
 public:
  std::string greet(const std::string& name) {
    const kaon::Runtime runtime = kaon::this_runtime();
    return "Hello " + name + " from PE " + std::to_string(pe()) + " of " + std::to_string(runtime.pes()) +
           ", process " + std::to_string(runtime.process()) + " of " + std::to_string(runtime.processes());
  }
};

kaon::Task<int> hello(kaon::Runtime& runtime) {
  auto greeters = co_await runtime.create_group<Greeter>();
  for (kaon::PeId pe = 0; pe < runtime.pes(); ++pe) {
    const std::string line = co_await greeters[static_cast<int>(pe)].call<&Greeter::greet>(std::string("world"));
    std::printf("%s\n", line.c_str());
  }
  co_return 0;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, hello); }
