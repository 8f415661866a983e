// SPDX-License-Identifier: Apache-2.0
// processes: 1 2
// Everything that all PEs do together, each with its time: for runs with very many PEs on few cores (--pes 4 under
// kaonrun -n 64).
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <kaon/kaon.hpp>

namespace many_pes {

constexpr int kPerPe = 2, kRounds = 3, kLetters = 4;

class Node : public kaon::Chare<Node> {
 public:
  template <class Archive>
  void pup(Archive& archive) {
    archive(heard_, letters_);
  }
  void hear(const std::string& word) { heard_ += word == "all"; }
  void write(int round) {
    const int count = array().shape().x;
    for (int i = 0; i < kLetters; ++i)
      array()[(index().x * 7 + round * 31 + i * count / kLetters) % count].send<&Node::take>();
  }
  void take() { ++letters_; }
  void go(int by) { migrate_to((pe() + static_cast<kaon::PeId>(by)) % kaon::this_runtime().pes()); }
  kaon::Task<int> agree() { co_return co_await contribute(kaon::sum, 1); }
  int heard() const { return heard_; }
  int letters() const { return letters_; }

 private:
  int heard_ = 0, letters_ = 0;
};

class Clock {
 public:
  void say(const char* what) {
    const auto now = std::chrono::steady_clock::now();
    std::printf("%s: %.3f s\n", what, std::chrono::duration<double>(now - last_).count());
    std::fflush(stdout);
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

kaon::Task<int> run(kaon::Runtime& runtime) {
  Clock clock;
  const int count = kPerPe * static_cast<int>(runtime.pes());
  const auto nodes = co_await runtime.create<Node>(count);
  clock.say("an array");
  for (int round = 0; round < kRounds; ++round) nodes.broadcast<&Node::hear>(std::string("all"));
  co_await runtime.quiescence();
  clock.say("broadcasts and quiescence");
  for (int round = 0; round < kRounds; ++round)
    if (co_await nodes.call_all<&Node::agree>(kaon::min) != count) co_return 1;
  clock.say("reductions");
  for (int round = 0; round < kRounds; ++round) {
    nodes.broadcast<&Node::go>(5 + round * 8);
    nodes.broadcast<&Node::write>(round);
    co_await runtime.quiescence();
  }
  clock.say("moves and letters");
  const int heard = co_await nodes.call_all<&Node::heard>(kaon::sum);
  const int letters = co_await nodes.call_all<&Node::letters>(kaon::sum);
  co_await nodes.destroy_and_wait();
  clock.say("the end of the array");
  co_return heard == kRounds* count&& letters == kRounds* kLetters* count ? 0 : 2;
}

}  // namespace many_pes

int main(int argc, char** argv) { return kaon::run(argc, argv, many_pes::run); }
