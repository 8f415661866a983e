// SPDX-License-Identifier: Apache-2.0
// Chares with buffers and payloads of devices that move again and again; and some that are balanced by what their
// devices take: carry or balance. The exit code says whether all was right.
#include <cstdio>
#include <string>
#include <vector>

#include "tests/device/carrier.hpp"

namespace carry {  // not unnamed: entries are told apart by their names

/// Keeps its device busy, the longer the greater its index; all begin on the first half of the PEs.
class Worker : public kaon::Chare<Worker> {
 public:
  Worker() = default;
  explicit Worker(int steps) : steps_(steps), values_(1000, stream_) { stream_.fill(values_.span(), 0); }
  template <class Archive>
  void pup(Archive& archive) {
    archive(steps_, step_);
    values_.pup_on(archive, stream_);
  }
  static kaon::PeId place(kaon::Index, kaon::PeId) { return 0; }
  kaon::Task<> work() {
    while (step_ < steps_) {
      ++step_;
      stream_.launch(kaon::gpu::Grid{{1}, {1}}, kaon::testing::Dawdle{values_.data(), 20'000L * (1 + index().x % 4)});
      co_await stream_.drained();
      co_await rebalance<&Worker::work>();
    }
  }

 private:
  int steps_ = 0, step_ = 0;
  kaon::gpu::Stream stream_;
  kaon::gpu::Buffer<double> values_;
};

kaon::Task<bool> balance_all(kaon::Runtime& runtime) {
  constexpr int kSteps = 4;
  const auto workers = co_await runtime.create<Worker>(16 * static_cast<int>(runtime.pes()), kSteps);
  co_await runtime.balance(workers, kaon::strategies::greedy);
  co_await workers.call_all_and_wait<&Worker::work>();
  const kaon::BalancingReport report = runtime.balancing_report(workers);
  std::printf("%s", report.text().c_str());
  const bool has_moved = runtime.pes() == 1 || report.latest.front().moved > 0;
  co_return report.steps == kSteps&& has_moved&& report.latest.front().mean_seconds > 0;
}

kaon::Task<int> run_carriers(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const std::string kind = arguments.at(0);
  bool is_right = false;
  if (kind == "carry") is_right = co_await kaon::testing::carry_all(runtime, 10);
  if (kind == "balance") is_right = co_await balance_all(runtime);
  std::printf("%s: %s\n", kind.c_str(), is_right ? "right" : "wrong");
  co_return is_right ? 0 : 1;
}

}  // namespace carry

int main(int argc, char** argv) { return kaon::run(argc, argv, carry::run_carriers, kaon::with_devices); }
