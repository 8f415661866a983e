// SPDX-License-Identifier: Apache-2.0
// Traffic of every kind between PEs, each with its contents and its counts checked. One kind a run: pairs, storm,
// payloads, flood, large, calls, moves, farewell.
#include <array>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <kaon/kaon.hpp>

namespace traffic {

std::vector<int> pattern(std::size_t size, int seed) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), seed);
  return values;
}

bool is_pattern(std::span<const int> values, std::size_t size, int seed) {
  bool is_right = values.size() == size;
  for (std::size_t i = 0; i < values.size(); ++i) is_right &= values[i] == seed + static_cast<int>(i);
  return is_right;
}

struct Parcel {
  int step;
  int seed;
  std::size_t size;
  kaon::Payload<int> values;
};

class Node : public kaon::Chare<Node> {
 public:
  kaon::Inbox<Parcel, &Parcel::step> parcels;
  kaon::Inbox<Parcel, &Parcel::step> landed{[this](const Parcel& parcel) {
    std::vector<int>& landing = landings_[parcel.step % 2];  // the partner is at most one step ahead
    landing.resize(parcel.size);
    return kaon::Landing::into(std::span<int>(landing));
  }};

  ~Node() {
    for (int to = 0; to < heirs_.shape().x; ++to) heirs_[to].send<&Node::take>(pattern(20'000, to), to);
  }
  void will(kaon::Proxy<Node> heirs) { heirs_ = heirs; }

  void greet(int from, std::string text) { good_ += text == "greeting from " + std::to_string(from); }
  void greet_all() {
    for (int to = 0; to < array().shape().x; ++to)
      array()[to].send<&Node::greet>(index().x, "greeting from " + std::to_string(index().x));
  }

  void spread(unsigned seed, int depth) {
    ++good_;
    std::minstd_rand random(seed);
    for (int i = 0; depth > 0 && i < 3; ++i)
      array()[static_cast<int>(random() % static_cast<unsigned>(array().shape().x))].send<&Node::spread>(
          static_cast<unsigned>(random()), depth - 1);
  }

  kaon::Task<int> exchange(int rounds) {
    const int partner = array().shape().x - 1 - index().x;
    const std::size_t sizes[] = {0, 1, 511, 513, 9000, 70'000, 2'000'000};
    int good = 0, step = 0;
    for (int round = 0; round < rounds; ++round)
      for (const std::size_t size : sizes) {
        const int seed = round * 10'000'000 + static_cast<int>(size);
        array()[partner].send<&Node::parcels>(step, seed, size, kaon::Payload<int>(pattern(size, seed)));
        array()[partner].send<&Node::landed>(step, seed, size, kaon::Payload<int>(pattern(size, -seed)));
        const Parcel parcel = co_await parcels.when(step);
        good += is_pattern(parcel.values.view(), size, seed);
        const Parcel placed = co_await landed.when(step);
        good += is_pattern(placed.values.view(), size, -seed);
        good += size <= 1 || placed.values.view().data() == landings_[step % 2].data();
        ++step;
      }
    co_return good;
  }

  void take(std::vector<int> values, int seed) { good_ += is_pattern(values, values.size(), seed); }
  void flood(int messages, std::size_t size) {
    const int partner = array().shape().x - 1 - index().x;
    for (int i = 0; i < messages; ++i) array()[partner].send<&Node::take>(pattern(size, i), i);
  }

  int twice(int value) { return 2 * value; }
  kaon::Task<int> ask_all(int calls) {
    int good = 0;
    for (int i = 0; i < calls; ++i) {
      const int answer = co_await array()[i % array().shape().x].call<&Node::twice>(i);
      good += answer == 2 * i;
    }
    co_return good;
  }

  void wander(int moves) {
    ++good_;
    if (moves == 0) return;
    array()[(index().x * 7 + moves) % array().shape().x].send<&Node::wander>(moves - 1);
    migrate_to((pe() + 1) % kaon::this_runtime().pes());
  }

  int take_count() { return std::exchange(good_, 0); }

  template <class Archive>
  void pup(Archive& archive) {
    archive(good_, landings_, parcels, landed);
  }

 private:
  int good_ = 0;
  kaon::Proxy<Node> heirs_;  // who are sent to when the run has ended
  std::array<std::vector<int>, 2> landings_;
};

// Says what came; the exit code says whether it is what should have come.
int verdict(const std::string& what, long came, long expected) {
  std::printf("%s: %ld of %ld\n", what.c_str(), came, expected);
  return came == expected ? 0 : 1;
}

kaon::Task<int> run_traffic(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const std::string kind = arguments.at(0);
  const int count = 3 * static_cast<int>(runtime.pes()) + 1;
  const auto nodes = co_await runtime.create<Node>(count);
  if (kind == "payloads") co_return verdict(kind, co_await nodes.call_all<&Node::exchange>(kaon::sum, 3), 63L * count);
  if (kind == "calls") co_return verdict(kind, co_await nodes.call_all<&Node::ask_all>(kaon::sum, 200), 200L * count);
  long expected = 0;
  if (kind == "pairs") {
    nodes.broadcast<&Node::greet_all>();
    expected = static_cast<long>(count) * count;
  } else if (kind == "storm") {
    nodes.broadcast<&Node::spread>(7u, 7);
    expected = 3280L * count;  // 3^0 + ... + 3^7
  } else if (kind == "flood") {
    nodes.broadcast<&Node::flood>(5000, std::size_t{20});
    expected = 5000L * count;
  } else if (kind == "large") {
    nodes.broadcast<&Node::flood>(20, std::size_t{100'000});
    expected = 20L * count;
  } else if (kind == "farewell") {
    const auto heirs = co_await runtime.create<Node>(count);
    nodes.broadcast<&Node::will>(heirs);
    nodes.broadcast<&Node::greet_all>();
    expected = static_cast<long>(count) * count;
  } else if (kind == "moves") {
    for (int i = 0; i < count; ++i) nodes[i].send<&Node::wander>(40);  // a broadcast would meet some that have moved
    expected = 41L * count;
  }
  co_await runtime.quiescence();
  co_return verdict(kind, co_await nodes.call_all<&Node::take_count>(kaon::sum), expected);
}

}  // namespace traffic

int main(int argc, char** argv) { return kaon::run(argc, argv, traffic::run_traffic); }
