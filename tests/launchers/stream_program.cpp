// SPDX-License-Identifier: Apache-2.0
// Numbered messages and payloads between the PEs of two hosts, in both directions, round after round, until there is
// the file `stop` in the folder that is named; with `later` they begin when there is the file `go`. What comes is
// checked: nothing may be missing, twice, changed or, where order is promised, before its turn.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include <kaon/kaon.hpp>

namespace stream {

constexpr int kMessages = 40;  // of each kind in a round, from each PE
constexpr int kValues = 2000;
constexpr int kPayloadValues = 200'000;
constexpr std::chrono::milliseconds kLook{10};

std::vector<int> pattern(int size, int seed) {
  std::vector<int> values(static_cast<std::size_t>(size));
  std::iota(values.begin(), values.end(), seed);
  return values;
}

class Node : public kaon::Chare<Node> {
 public:
  void say_ready() {
    std::printf("ready %d pid %d\n", kaon::this_runtime().process(), static_cast<int>(getpid()));
    std::fflush(stdout);
  }
  void take_in_turn(int number, std::vector<int> values) {
    wrong_ += number != next_ || values != pattern(kValues, number);
    next_ = number + 1;
  }
  void take(int number) {
    ++taken_;
    sum_ += number;
  }
  void take_payload(int number, kaon::Payload<int> values) {
    wrong_ += !std::ranges::equal(values.view(), pattern(kPayloadValues, number));
    ++payloads_;
  }

  // On the other host, the lower half being one; and nobody who is next to us in the runtime's trees.
  void send_round(int round) {
    const int pes = array().shape().x, first = round * kMessages;
    const auto partner = array()[pes - 1 - index().x];
    for (int number = first; number < first + kMessages; ++number) {
      partner.send<&Node::take_in_turn>(number, pattern(kValues, number));
      partner.send<&Node::take>(number);
    }
    partner.send<&Node::take_payload>(first, kaon::Payload<int>(pattern(kPayloadValues, first)));
  }

  int wrong_after(int rounds) const {
    const long messages = static_cast<long>(rounds) * kMessages;
    return wrong_ + (next_ != messages) + (taken_ != messages) + (sum_ != messages * (messages - 1) / 2) +
           (payloads_ != rounds);
  }

  using ordered = kaon::Entries<&Node::take_in_turn>;

 private:
  int wrong_ = 0, next_ = 0, payloads_ = 0;
  long taken_ = 0, sum_ = 0;
};

kaon::Task<int> run_stream(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const auto nodes = co_await runtime.create_group<Node>();
  nodes.broadcast<&Node::say_ready>();
  const std::filesystem::path folder = arguments.at(0);
  const bool is_later = arguments.size() > 1 && arguments[1] == "later";
  while (is_later && !std::filesystem::exists(folder / "go")) co_await runtime.sleep_for(kLook);
  int rounds = 0;
  for (; !std::filesystem::exists(folder / "stop"); ++rounds) {
    nodes.broadcast<&Node::send_round>(rounds);
    co_await runtime.quiescence();
  }
  const int wrong = co_await nodes.call_all<&Node::wrong_after>(kaon::sum, rounds);
  std::printf("%d rounds, %d wrong\n", rounds, wrong);
  co_return wrong == 0 ? 0 : 1;
}

}  // namespace stream

int main(int argc, char** argv) { return kaon::run(argc, argv, stream::run_stream); }
