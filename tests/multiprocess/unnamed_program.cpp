// SPDX-License-Identifier: Apache-2.0
// A chare that has no name which other processes could know.
#include <kaon/kaon.hpp>

namespace {

class Hidden : public kaon::Chare<Hidden> {
 public:
  void poke() {}
};

}  // namespace

kaon::Task<int> use_hidden(kaon::Runtime& runtime) {
  const auto hidden = co_await runtime.create<Hidden>(1);
  hidden[0].send<&Hidden::poke>();
  co_return 0;
}

int main(int argc, char** argv) { return kaon::run(argc, argv, use_hidden); }
