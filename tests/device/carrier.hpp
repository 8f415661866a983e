// SPDX-License-Identifier: Apache-2.0
// Chares that take what they have in the memory of devices along when they move.
#pragma once
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/mixed_node.hpp"
#include "tests/device/pattern_kernels.hpp"

namespace kaon::testing {

/// A parcel that waits in the inbox of a Carrier.
struct CarriedParcel {
  int seed;
  std::uint64_t size;
  Payload<int> values;
};

struct CarriedOutcome {
  int good = 0, bad = 0, parcels = 0, moves = 0;
  friend CarriedOutcome operator+(const CarriedOutcome& a, const CarriedOutcome& b) {
    return {a.good + b.good, a.bad + b.bad, a.parcels + b.parcels, a.moves + b.moves};
  }
};

/// Has a buffer of its own, which it checks and writes anew on each PE, and parcels that wait in its inbox; sends such
/// to others, and takes part in reductions.
class Carrier : public Chare<Carrier> {
 public:
  Inbox<CarriedParcel> parcels;

  Carrier() = default;
  explicit Carrier(unsigned seed) : seed_(seed), random_(seed * 1000 + static_cast<unsigned>(index().x) + 1) {
    write();
  }
  template <class Archive>
  void pup(Archive& archive) {
    if constexpr (Archive::is_saving) state_ = random_();
    archive(parcels, seed_, state_, value_, outcome_);
    if constexpr (Archive::is_loading) random_.seed(static_cast<unsigned>(state_));
    values_.pup_on(archive, stream_);
    none_.pup_on(archive, stream_);
  }

  Task<> go(int moves) {
    const bool is_whole =
        co_await is_right(stream_, Payload<int>(std::move(values_), stream_), size_of(value_), value_);
    ++(is_whole ? outcome_.good : outcome_.bad);
    write();
    give(true);
    give(false);
    const int count = array().shape().x;
    const int together = co_await contribute(kaon::sum, 1);
    if (together != count) ++outcome_.bad;
    if (moves == 0) co_return;
    ++outcome_.moves;
    migrate_to(static_cast<PeId>(random_()) % this_runtime().pes());
    self().send<&Carrier::go>(moves - 1);
  }
  Task<CarriedOutcome> outcome(int awaited) {
    for (; outcome_.parcels < awaited && parcels.size() > 0; ++outcome_.parcels) {
      CarriedParcel parcel = co_await parcels.next();
      bool is_right_now = parcel.values.size() == parcel.size;
      if (parcel.values.is_on_device()) {
        is_right_now = co_await is_right(stream_, std::move(parcel.values), parcel.size, parcel.seed);
      } else {
        for (std::size_t i = 0; is_right_now && i < parcel.size; ++i)
          is_right_now = parcel.values.view()[i] == parcel.seed + static_cast<int>(i);
      }
      ++(is_right_now ? outcome_.good : outcome_.bad);
    }
    co_return outcome_;
  }

 private:
  static std::uint64_t size_of(int value) { return static_cast<std::uint64_t>(1 + value * 37 % 5000); }

  void write() {
    value_ = static_cast<int>(random_() % 1000);
    values_ = gpu::Buffer<int>(size_of(value_), stream_);
    stream_.launch(gpu::Grid{{64}, {256}}, WritePattern{values_.data(), values_.size(), value_});
  }
  void give(bool is_of_device) {
    const int seed = static_cast<int>(random_() % 1000);
    const std::uint64_t size = size_of(seed);
    CarriedParcel parcel{seed, size, {}};
    if (is_of_device) {
      parcel.values = made_on(stream_, size, seed);
    } else {
      std::vector<int> values(size);
      for (std::size_t i = 0; i < size; ++i) values[i] = seed + static_cast<int>(i);
      parcel.values = Payload<int>(std::move(values));
    }
    const int count = array().shape().x;
    array()[static_cast<int>(random_() % static_cast<unsigned>(count))].send<&Carrier::parcels>(std::move(parcel));
  }

  gpu::Stream stream_;
  unsigned seed_ = 0;
  std::minstd_rand random_;
  std::uint64_t state_ = 0;
  int value_ = 0;
  CarriedOutcome outcome_;
  gpu::Buffer<int> values_, none_;
};

/// Lets Carriers move so often, and says how all went.
inline Task<bool> carry_all(Runtime& runtime, int moves) {
  const int count = 2 * static_cast<int>(runtime.pes()) + 1, rounds = moves + 1;
  const auto carriers = co_await runtime.create<Carrier>(count, 7u);
  carriers.broadcast<&Carrier::go>(moves);
  co_await runtime.quiescence();
  const CarriedOutcome all = co_await carriers.call_all<&Carrier::outcome>(kaon::sum, 2 * rounds * count);
  co_return all.bad == 0 &&
      all.parcels == 2 * rounds* count&& all.good == 3 * rounds* count&& all.moves == moves* count;
}

}  // namespace kaon::testing
