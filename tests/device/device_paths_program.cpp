// SPDX-License-Identifier: Apache-2.0
// Payloads in device memory for elements that move, are deleted, reject them or fetch them later, between PEs of any
// back end: moved, deleted, rejected or fetched. The exit code says whether all was right, and all memory free again.
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/device/mixed_node.hpp"
#include "tests/device/traffic.hpp"

namespace paths {

using kaon::testing::DeviceNode;

constexpr std::size_t kSize = 100'000;
enum class Way : int { pooled, landed, later };

class Taker : public kaon::Chare<Taker> {
 public:
  kaon::Task<> pooled(int seed, kaon::Payload<int> values) { return check(seed, std::move(values)); }
  kaon::Task<> landed(int seed, kaon::Payload<int> values) { return check(seed, std::move(values)); }
  kaon::Landing post(kaon::PostFor<&Taker::landed>, int, const kaon::Payload<int>& values) {
    return kaon::Landing::into(memory_.emplace_back(values.size(), stream_).span(), stream_);
  }
  void later(int seed, kaon::Payload<int> values) { kept_.emplace_back(seed, std::move(values)); }
  kaon::Landing post(kaon::PostFor<&Taker::later>, int, const kaon::Payload<int>&) { return kaon::Landing::later(); }

  /// Ends when the payload's memory is free.
  kaon::Task<int> give(kaon::Element<Taker> to, Way way, int seed) {
    kaon::Payload<int> payload = kaon::testing::made_on(stream_, kSize, seed);
    kaon::Sent sent(payload);
    if (way == Way::pooled)
      to.send<&Taker::pooled>(seed, std::move(payload));
    else if (way == Way::landed)
      to.send<&Taker::landed>(seed, std::move(payload));
    else
      to.send<&Taker::later>(seed, std::move(payload));
    co_await sent;
    co_return 1;
  }
  /// Side by side; in the middle `to` is deleted, if it is mortal.
  kaon::Task<int> give_all(kaon::Element<Taker> to, int times, bool is_mortal) {
    std::vector<kaon::Task<int>> tasks;
    for (int time = 0; time < times; ++time) {
      if (is_mortal && index().x == 0 && time == times / 2) to.send<&Taker::die>();
      for (const Way way : {Way::pooled, Way::landed, Way::later}) tasks.push_back(give(to, way, time));
    }
    const std::vector<int> given = co_await kaon::all(std::move(tasks));
    co_return std::accumulate(given.begin(), given.end(), 0);
  }
  /// Sends payloads that are kept by the next element until it is told to end with them.
  kaon::Task<int> give_later(kaon::Element<Taker> to, int times, bool is_fetched) {
    std::vector<kaon::Task<int>> tasks;
    for (int time = 0; time < times; ++time) tasks.push_back(give(to, Way::later, time));
    tasks.push_back(end_when_kept(to, times, is_fetched));
    const std::vector<int> ended = co_await kaon::all(std::move(tasks));
    co_return std::accumulate(ended.begin(), ended.end(), 0);
  }
  bool has_kept(int times) const { return static_cast<int>(kept_.size()) == times; }
  /// How many were right.
  kaon::Task<int> fetch() {
    int right = 0;
    for (auto& [seed, values] : std::exchange(kept_, {})) {
      co_await kaon::land(values, kaon::Landing::pooled());
      const bool is_good = co_await kaon::testing::is_right(stream_, std::move(values), kSize, seed);
      right += is_good;
    }
    co_return right;
  }
  int reject() {
    const int kept = static_cast<int>(kept_.size());
    kept_.clear();
    return kept;
  }
  int wrong() const { return wrong_; }
  void die() { destroy(); }

 private:
  kaon::Task<> check(int seed, kaon::Payload<int> values) {
    const bool is_good = co_await kaon::testing::is_right(stream_, std::move(values), kSize, seed);
    wrong_ += !is_good;
  }
  static kaon::Task<int> end_when_kept(kaon::Element<Taker> to, int times, bool is_fetched) {
    bool is_there = false;
    while (!is_there) is_there = co_await to.call<&Taker::has_kept>(times);
    if (is_fetched) co_return co_await to.call<&Taker::fetch>();
    co_return co_await to.call<&Taker::reject>();
  }

  kaon::gpu::Stream stream_;
  std::vector<kaon::gpu::Buffer<int>> memory_;
  std::vector<std::pair<int, kaon::Payload<int>>> kept_;
  int wrong_ = 0;
};

int told(const std::string& kind, int came, int expected) {
  std::printf("%s: %d of %d\n", kind.c_str(), came, expected);
  return came == expected ? 0 : 1;
}

kaon::Task<int> move(kaon::Runtime& runtime) {
  const int count = 2 * static_cast<int>(runtime.pes());
  const auto nodes = co_await runtime.create<DeviceNode>(count);
  for (int i = 0; i < count; ++i) nodes[i].send<&DeviceNode::wander>(8, kaon::Payload<int>());
  co_await runtime.quiescence();
  const int seen = co_await nodes.call_all<&DeviceNode::visits>(kaon::sum);
  co_return told("moved", seen, 9 * count);
}

kaon::Task<int> destroy(kaon::Runtime& runtime) {
  constexpr int kTimes = 4;
  const int givers = static_cast<int>(runtime.pes()) + 1;
  const auto array = co_await runtime.create<Taker>(givers);
  const auto mortals = co_await runtime.create<Taker>(3);
  const int given = co_await array.call_all<&Taker::give_all>(kaon::sum, mortals[2], kTimes, true);
  co_await runtime.quiescence();
  co_return told("deleted", given, 3 * kTimes * givers);
}

kaon::Task<int> end_later(kaon::Runtime& runtime, bool is_fetched) {
  constexpr int kTimes = 6;
  const int count = static_cast<int>(runtime.pes());
  const auto takers = co_await runtime.create<Taker>(count + 1);
  int ended = 0;
  for (int i = 0; i < count; ++i) {
    const int some = co_await takers[i].call<&Taker::give_later>(takers[i + 1], kTimes, is_fetched);
    ended += some;
  }
  co_return told(is_fetched ? "fetched" : "rejected", ended, 2 * kTimes * count);
}

kaon::Task<int> run(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const std::string kind = arguments.empty() ? "" : arguments.front();
  if (kind == "moved") co_return co_await move(runtime);
  if (kind == "deleted") co_return co_await destroy(runtime);
  if (kind == "rejected" || kind == "fetched") co_return co_await end_later(runtime, kind == "fetched");
  throw kaon::UsageError("give moved, deleted, rejected or fetched");
}

}  // namespace paths

int main(int argc, char** argv) { return kaon::run(argc, argv, paths::run, kaon::with_devices); }
