// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/floors/peer_copy.hpp"

#include <algorithm>
#include <chrono>

#include "bench/gpu/floors/cuda.hpp"

namespace kaon::bench {

namespace {

constexpr std::size_t kLargest = std::size_t{256} << 20;
constexpr int kRepetitions = 9;

// One end: a buffer that copies leave and one that they reach.
struct End {
  explicit End(int number) : device(number), from(number, kLargest), to(number, kLargest), stream(number) {}
  int device;
  DeviceMemory from, to;
  Stream stream;
};

void copy(const End& source, const End& target, std::size_t bytes) {
  check(cudaMemcpyPeerAsync(target.to.data(), target.device, source.from.data(), source.device, bytes, source.stream),
        "copy to a peer");
}

double microseconds(const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i <= kRepetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    if (i > 0) times.push_back(took.count());
  }
  return median(times);
}

double latency_us(const End& source, const End& target, std::size_t bytes) {
  const int copies = bytes > (1U << 20) ? 10 : 200;
  return microseconds([&] {
           for (int i = 0; i < copies; ++i) {
             copy(source, target, bytes);
             source.stream.wait();
           }
         }) /
         copies;
}

double rate_gb_per_s(const End& source, const End& target, std::size_t bytes, bool is_both_ways) {
  const int copies = static_cast<int>(std::clamp<std::size_t>((std::size_t{1} << 30) / bytes, 4, 256));
  const double us = microseconds([&] {
    for (int i = 0; i < copies; ++i) {
      copy(source, target, bytes);
      if (is_both_ways) copy(target, source, bytes);
    }
    source.stream.wait();
    target.stream.wait();
  });
  return static_cast<double>(bytes) * copies * (is_both_ways ? 2 : 1) / (us * 1e3);
}

}  // namespace

void measure_peer_copies(const Report& report) {
  const End first(0), second(1);
  for (std::size_t bytes = 8; bytes <= kLargest; bytes *= bytes < 4096 ? 8 : 4) {
    const std::string size = " " + std::to_string(bytes) + " B";
    report.add("peer copy latency" + size, latency_us(first, second, bytes), "us");
    report.add("peer copy one way" + size, rate_gb_per_s(first, second, bytes, false), "GB/s");
    report.add("peer copy both ways" + size, rate_gb_per_s(first, second, bytes, true), "GB/s");
  }
}

}  // namespace kaon::bench
