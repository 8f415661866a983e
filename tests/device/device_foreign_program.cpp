// SPDX-License-Identifier: Apache-2.0
// Payloads of memory that is the program's own, there and back again: PE 0 sends from it, the last PE receives every
// second one into such memory and sends all back. Prints how many were right, which way they took, and why.
#include <cstdio>
#include <utility>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "kaon/gpu/platform/device_payloads.hpp"
#include "tests/device/pattern_kernels.hpp"

namespace foreign {

constexpr std::size_t kSize = 50'000;
constexpr int kTimes = 8;

/// An allocation that Kaon did not make.
class Allocation {
 public:
  Allocation()
      : device_(kaon::gpu::this_device().number()),
        driver_(kaon::gpu::this_device().driver()),
        data_(static_cast<int*>(driver_.allocate(device_, kSize * sizeof(int)))) {}
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation() { driver_.free(device_, data_); }
  int* data() const { return data_; }

 private:
  const int device_;
  kaon::gpu::Driver& driver_;
  int* const data_;
};

struct Returned {
  int seed;
  kaon::Payload<int> values;
};

class Owner : public kaon::Chare<Owner> {
 public:
  kaon::Inbox<Returned, &Returned::seed> returned;

  /// Returns how many came back as they went.
  kaon::Task<int> give_all(int to) {
    int good = 0;
    for (int seed = 0; seed < kTimes; ++seed) {
      stream_.launch({{16}, {64}}, kaon::testing::WritePattern{memory_.data(), kSize, seed});
      kaon::Payload<int> payload(registration_.part<int>(0, kSize), stream_);
      kaon::Sent sent(payload);
      array()[to].send<&Owner::take>(seed, std::move(payload));
      Returned back = co_await returned.when(seed);
      const bool is_good = co_await is_right(std::move(back.values), seed);
      good += is_good;
      co_await sent;
    }
    co_return good;
  }
  void take(int seed, kaon::Payload<int> values) { array()[0].send<&Owner::returned>(seed, std::move(values)); }
  kaon::Landing post(kaon::PostFor<&Owner::take>, int seed, const kaon::Payload<int>&) {
    if (seed % 2 == 0) return kaon::Landing::pooled();
    return kaon::Landing::into(registration_.span<int>(0, kSize), stream_);
  }

 private:
  kaon::Task<bool> is_right(kaon::Payload<int> payload, int seed) {
    kaon::gpu::Pinned<int> values(kSize, stream_);
    stream_.copy(values, payload.view(stream_));
    payload = {};
    co_await stream_.drained();
    for (std::size_t i = 0; i < kSize; ++i)
      if (values[i] != seed + static_cast<int>(i)) co_return false;
    co_return true;
  }

  kaon::gpu::Stream stream_;
  Allocation memory_;  // goes after its registration
  kaon::gpu::Registration registration_{memory_.data(), kSize * sizeof(int)};
};

kaon::Task<int> give_and_tell(kaon::Runtime& runtime) {
  const auto owners = co_await runtime.create_group<Owner>();
  const int last = static_cast<int>(runtime.pes()) - 1;
  const int good = co_await owners[0].call<&Owner::give_all>(last);
  co_await runtime.quiescence();
  const kaon::runtime::TransferReport report = co_await runtime.transfers();
  std::printf("right %d, staged %d, direct %d\n", good, static_cast<int>(report.staged()),
              static_cast<int>(report[kaon::runtime::Route::direct].payloads));
  for (const kaon::runtime::TransferReport::Fallback& fallback : report.fallbacks)
    std::printf("%d because %s\n", static_cast<int>(fallback.payloads), fallback.reason.c_str());
  co_return 0;
}

}  // namespace foreign

int main(int argc, char** argv) { return kaon::run(argc, argv, foreign::give_and_tell, kaon::with_devices); }
