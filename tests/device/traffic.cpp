// SPDX-License-Identifier: Apache-2.0
#include "tests/device/traffic.hpp"

#include <numeric>
#include <utility>

#include "tests/device/pattern_kernels.hpp"

namespace kaon::testing {
namespace {

const gpu::Grid kGrid{{64}, {256}};

int seed_of(int step, std::size_t size) { return step * 1000 + static_cast<int>(size % 977); }

}  // namespace

Payload<int> DeviceNode::made(std::size_t size, int seed) {
  gpu::Buffer<int> buffer(size, stream_);
  stream_.launch(kGrid, WritePattern{buffer.data(), size, seed});
  return Payload<int>(std::move(buffer), stream_);
}

Landing DeviceNode::landing(int which, std::size_t size) {
  if (landings_.size() <= static_cast<std::size_t>(which)) landings_.resize(static_cast<std::size_t>(which) + 1);
  gpu::Buffer<int>& buffer = landings_[static_cast<std::size_t>(which)];
  if (buffer.size() < size) buffer = gpu::Buffer<int>(size, stream_);
  return Landing::into(buffer.span(), stream_);
}

void DeviceNode::check(gpu::Span<const int> values, int seed) {
  if (checks_++ == 0) stream_.fill(wrong_.span(), 0);
  stream_.launch(kGrid, CheckPattern{values.data(), values.size(), seed, wrong_.data()});
}

// How many checks went well since the last time: all or none.
Task<int> DeviceNode::settled() {
  gpu::Pinned<double> wrong(1, stream_);
  if (checks_ == 0) stream_.fill(wrong_.span(), 0);
  stream_.copy(wrong, wrong_.span());
  const int checks = std::exchange(checks_, 0);
  co_await stream_.drained();
  co_return wrong[0] == 0 ? checks : 0;
}

Task<int> DeviceNode::exchange(int rounds, std::size_t largest) {
  int step = 0;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t size = 1; size <= largest; size = size * 7 + 1, ++step) {
      const int seed = seed_of(step, size);
      const auto to = array()[partner()];
      to.send<&DeviceNode::pooled>(step, seed, made(size, seed));
      to.send<&DeviceNode::landed>(step, seed + 1, made(size, seed + 1));
      to.send<&DeviceNode::later>(step, seed + 2, made(size, seed + 2));
      DeviceParcel first = co_await pooled.when(step);
      check(first.values.view(stream_), seed);
      DeviceParcel second = co_await landed.when(step);
      good_ += second.values.view(stream_).data() == landings_[static_cast<std::size_t>(step % 2)].data();
      check(second.values.view(stream_), seed + 1);
      DeviceParcel third = co_await later.when(step);
      if (step % 3 == 2) continue;  // nobody wants it
      const Landing here = step % 3 == 0 ? Landing::pooled() : landing(2, size);
      co_await land(third.values, here);
      check(third.values.view(stream_), seed + 2);
    }
  good_ += co_await settled();
  co_return std::exchange(good_, 0);
}

std::array<Landing, 4> DeviceNode::post(PostFor<&DeviceNode::several>, const std::string&, const Payload<int>& first,
                                        int seed, const Payload<int>&, const Payload<int>&, const Payload<int>&) {
  return {landing(seed, first.size()), Landing::pooled(), Landing::pooled(), Landing::pooled()};
}

void DeviceNode::several(std::string text, Payload<int> first, int seed, Payload<int> on_host, Payload<int> second,
                         Payload<int> third) {
  check(first.view(stream_), seed);
  check(second.view(stream_), seed + 1);
  check(third.view(stream_), seed + 2);
  const auto values = on_host.view();
  for (std::size_t i = 0; i < values.size(); ++i) good_ -= values[i] != seed + static_cast<int>(i);
  good_ += text == "seed " + std::to_string(seed);
}

Task<int> DeviceNode::send_several(int times, std::size_t size) {
  for (int seed = 0; seed < times; ++seed) {
    std::vector<int> host(size);
    std::iota(host.begin(), host.end(), seed);
    Payload<int> on_host(std::move(host));
    array()[partner()].send<&DeviceNode::several>("seed " + std::to_string(seed), made(size, seed), seed,
                                                  std::move(on_host), made(size / 2, seed + 1),
                                                  made(size + 3, seed + 2));
    co_await array()[partner()].ready();
  }
  co_return times;
}

Task<int> DeviceNode::reuse(int times, std::size_t size) {
  gpu::Buffer<int> memory(size, stream_);
  gpu::Registration registration(memory.data(), memory.size_bytes());
  for (int step = 0; step < times; ++step) {
    stream_.launch(kGrid, WritePattern{memory.data(), size, step});
    Payload<int> payload(registration.part<int>(0, size), stream_);
    Sent sent(payload);
    array()[partner()].send<&DeviceNode::pooled>(step, step, std::move(payload));
    DeviceParcel parcel = co_await pooled.when(step);
    check(parcel.values.view(stream_), step);
    parcel.values = {};
    co_await stream_.drained();
    co_await sent;
  }
  co_return co_await settled();
}

void DeviceNode::wander(int moves, Payload<int> values) {
  check(values.view(stream_), moves);
  ++good_;
  if (moves == 0) return;
  array()[(index().x * 7 + moves) % array().shape().x].send<&DeviceNode::wander>(moves - 1, made(3000, moves - 1));
  migrate_to((pe() + 1) % this_runtime().pes());
}

// What was checked before the last move stayed behind; what came after it counts only if it is wrong.
Task<int> DeviceNode::visits() {
  const int checks = checks_;
  const int right = co_await settled();
  co_return right == checks ? std::exchange(good_, 0) : -1000;
}

Task<int> DeviceNode::good() {
  good_ += co_await settled();
  co_return std::exchange(good_, 0);
}

}  // namespace kaon::testing
