// SPDX-License-Identifier: Apache-2.0
// threads: blocks of a gang, which run together
// Entries that run on several workers of a device, and those that wait for flags.
#include <optional>
#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/gang.kernels.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::gangs {

using Strips = gpu::Resident<StripEntries>;
using Numbers = std::vector<std::uint32_t>;
using Handle = gpu::DeviceObject<Strip>;

gpu::ResidentOptions options_of(unsigned workers, double flag_patience_s = 60) {
  gpu::ResidentOptions options;
  options.workers = workers;
  options.threads = 64;
  options.flag_patience_s = flag_patience_s;
  return options;
}

Numbers first_numbers(std::uint32_t size) {
  Numbers numbers(size);
  for (std::uint32_t i = 0; i < size; ++i) numbers[i] = i * i + 1;
  return numbers;
}

Numbers spread_here(Numbers numbers, std::uint32_t steps) {
  for (std::uint32_t step = 0; step < steps; ++step) {
    const Numbers before = numbers;
    for (std::size_t i = 0; i < before.size(); ++i)
      numbers[i] = (i > 0 ? before[i - 1] : 0) + before[i] + (i + 1 < before.size() ? before[i + 1] : 0);
  }
  return numbers;
}

/// Strips side by side on one device, and their memory.
class Row {
 public:
  Row(std::uint32_t strips, std::uint32_t size, Strips& entries)
      : strips_(strips),
        size_(size),
        entries_(entries),
        values_(std::size_t{2} * strips * size, stream_),
        flags_(strips, stream_),
        awaited_(std::size_t{3} * strips, stream_) {
    stream_.fill(flags_.span(), 0);
    stream_.fill(values_.span(), 0);
  }
  Task<> fill(const Numbers& numbers, std::uint32_t parts) {
    const gpu::Pinned<std::uint32_t> values(numbers.size(), stream_);
    std::copy(numbers.begin(), numbers.end(), values.span().begin());
    stream_.copy(values_.span().subspan(0, numbers.size()), values);
    const gpu::Pinned<gpu::AwaitedFlag> awaited(awaited_.size(), stream_);
    for (std::uint32_t i = 0; i < awaited.size(); ++i)
      awaited[i] = {
          {flags_.data() + std::min(std::max(i / 3 + i % 3, 1U) - 1, strips_ - 1)}, parts, gpu::Scope::device};
    stream_.copy(awaited_.span(), awaited);
    co_await stream_.drained();
    values_.move_to(entries_.stream());
    flags_.move_to(entries_.stream());
    awaited_.move_to(entries_.stream());
  }
  Strip strip(std::uint32_t i) const {
    Strip strip{size_, {}, {}, {}, {flags_.data() + i}, {awaited_.data() + std::size_t{3} * i, 3}};
    for (std::uint32_t parity = 0; parity < 2; ++parity) {
      std::uint32_t* const values = values_.data() + std::size_t{parity * strips_ + i} * size_;
      strip.values[parity] = values;
      strip.left[parity] = i > 0 ? values - 1 : nullptr;
      strip.right[parity] = i + 1 < strips_ ? values + size_ : nullptr;
    }
    return strip;
  }
  Task<Numbers> numbers(std::uint32_t parity) {
    gpu::Pinned<std::uint32_t> values(std::size_t{strips_} * size_, stream_);
    stream_.copy(values, values_.span().subspan(parity * values.size(), values.size()));
    co_await stream_.drained();
    co_return Numbers(values.span().begin(), values.span().end());
  }

 private:
  std::uint32_t strips_, size_;
  Strips& entries_;
  gpu::Stream stream_;
  gpu::Buffer<std::uint32_t> values_, flags_;
  gpu::Buffer<gpu::AwaitedFlag> awaited_;
};

class Host : public Chare<Host> {
 public:
  /// Numbers spread over `strips` gangs of `parts` workers, of which there may be fewer.
  Task<bool> spread(std::uint32_t strips, std::uint32_t parts, unsigned workers) {
    constexpr std::uint32_t kSize = 7, kSteps = 23;
    Strips entries(options_of(workers));
    Row row(strips, kSize, entries);
    co_await row.fill(first_numbers(strips * kSize), parts);
    std::vector<Handle> gangs;
    for (std::uint32_t i = 0; i < strips; ++i) gangs.push_back(co_await entries.make_gang(parts, row.strip(i)));
    bool is_right = true;
    for (std::uint32_t step = 0; step < kSteps; step += 10) {  // runs of steps
      const std::uint32_t stop = std::min(step + 10, kSteps);
      std::vector<Task<std::uint32_t>> calls;
      for (const Handle& gang : gangs) calls.push_back(steps_of(entries, gang, step, stop));
      for (const std::uint32_t steps : co_await all(std::move(calls))) is_right &= steps == stop;
    }
    const Numbers numbers = co_await row.numbers(kSteps % 2);
    co_return is_right&& numbers == spread_here(first_numbers(strips * kSize), kSteps);
  }
  /// All parts of a gang run what is sent to it, from the host and from the device; the first one's value is returned.
  Task<bool> count() {
    Strips entries(options_of(5));
    Row row(1, 1, entries);
    const Handle one = co_await entries.make(row.strip(0));
    const Handle gang = co_await entries.make_gang(4, row.strip(0));
    entries.send(gang, CountOne{});
    entries.send(one, SendCount{gang});
    co_await entries.call(one, SendCount{gang});
    std::uint32_t count = 0;
    while (count < 12) count = co_await entries.call(gang, TakeCount{});
    co_return count == 12;
  }
  /// Tasks that wait are work under way.
  Task<> begin_waiting(std::uint32_t times, std::uint32_t count, double flag_patience_s) {
    entries_.emplace(options_of(2, flag_patience_s));
    row_.emplace(1, 1, *entries_);
    co_await row_->fill(Numbers(1), 1);
    one_ = co_await entries_->make(row_->strip(0));
    other_ = co_await entries_->make(row_->strip(0));
    entries_->send(one_, CountWhen{times, count});
  }
  void raise(std::uint32_t times) { entries_->send(other_, Raise{times}); }
  Task<std::uint32_t> counted() { co_return co_await entries_->call(one_, TakeCount{}); }

 private:
  static Task<std::uint32_t> steps_of(Strips& entries, Handle gang, std::uint32_t step, std::uint32_t stop) {
    co_return co_await entries.call(gang, BeginSpread{step, stop});
  }
  std::optional<Strips> entries_;
  std::optional<Row> row_;
  Handle one_, other_;
};

}  // namespace kaon::testing::gangs

namespace kaon::testing {
namespace {

using gangs::Host;

DeviceSceneSettings one_pe() {
  DeviceSceneSettings settings;
  settings.shape = {1, 1};
  return settings;
}

}  // namespace

TEST_CASE("gangs go on when the flags of their neighbors are reached", "[device][resident][gang]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(static_cast<int>(runtime.pes()));
    for (std::uint32_t i = 0; i < runtime.pes(); ++i) {
      CHECK_AWAITED(hosts[i].call<&Host::spread>(1U, 3U, 3U), true);
      CHECK_AWAITED(hosts[i].call<&Host::spread>(5U, 2U, 10U), true);
      CHECK_AWAITED(hosts[i].call<&Host::spread>(9U, 2U, 4U), true);
    }
  });
}

TEST_CASE("all parts of a gang run what is sent to it", "[device][resident][gang]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    CHECK_AWAITED(hosts[0].call<&Host::count>(), true);
  });
}

TEST_CASE("tasks that wait for flags are awaited by quiescence", "[device][resident][gang]") {
  for (const std::uint32_t count : {1U, 3U, 32U}) {
    run_on_devices([&](Runtime& runtime) -> Task<> {
      const auto hosts = co_await runtime.create<Host>(1);
      co_await hosts[0].call<&Host::begin_waiting>(6U, count, 60.0);
      for (int i = 0; i < 3; ++i) hosts[0].send<&Host::raise>(2U);
      co_await runtime.quiescence();
      CHECK_AWAITED(hosts[0].call<&Host::counted>(), count);
    });
  }
}

TEST_CASE("a flag that nobody raises is named", "[device][resident][gang][bad input]") {
  const std::string text = fault_of([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    co_await hosts[0].call<&Host::begin_waiting>(4U, 1U, 0.01);
    hosts[0].send<&Host::raise>(3U);
    co_await runtime.quiescence();
  });
  CHECK(has(text, "kaon::testing::CountOne, an entry of kaon::testing::Strip, on device 0 has waited 0.01 s"));
  CHECK(has(text, "for its flag 0, which is 3 and must reach 4"));
}

TEST_CASE("more tasks that wait than a worker can have are an error", "[device][resident][gang][bad input]") {
  const std::string text = fault_of([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    co_await hosts[0].call<&Host::begin_waiting>(4U, 33U, 60.0);
    co_await runtime.quiescence();
  });
  CHECK(has(text, "has 32 tasks that wait for flags, and kaon::testing::CountOne is one more"));
}

TEST_CASE("a run ends although a task waits for a flag", "[device][resident][gang]") {
  DeviceScene scene(one_pe());
  scene.run([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    co_await hosts[0].call<&Host::begin_waiting>(4U, 1U, 60.0);
    CHECK_AWAITED(hosts[0].call<&Host::counted>(), 0);
  });
}

}  // namespace kaon::testing
