// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "kaon/ampi_shim/devices/device_copy.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/ampi_shim/ranks/world.hpp"
#include "tests/ampi_shim/messages/rank_scene.hpp"
#include "tests/device/device_scene.hpp"

namespace kaon::ampi {

/// Same as run_ranks_of_scene(), for a scene whose PEs have devices. Returns the exit code.
inline int run_ranks_on_devices(int ranks, testing::DeviceScene& scene, std::function<void(Rank&)> program) {
  WorldOptions options;
  options.ranks = ranks;
  options.stack_bytes = std::size_t{256} << 10;
  World world(
      options,
      [&](Rank& rank) {
        program(rank);
        return 0;
      },
      [](int code, const std::string& text) { throw Aborted(code, text); });
  int code = -1;
  scene.run([&](Runtime& runtime) -> Task<> { code = co_await run_ranks(runtime); });
  return code;
}

/// Memory of a rank's device, as its program allocates it: nobody has registered it.
template <class T>
class DeviceVector {
 public:
  DeviceVector(Rank& rank, std::size_t count)
      : driver_(gpu::this_device().driver()),
        device_(gpu::this_device().number()),
        data_(static_cast<T*>(driver_.allocate(device_, count * sizeof(T)))),
        count_(count),
        rank_(rank) {}
  DeviceVector(Rank& rank, const std::vector<T>& values) : DeviceVector(rank, values.size()) {
    copied_by_device(rank_, elements(), on_host(values));
  }
  DeviceVector(const DeviceVector&) = delete;
  DeviceVector& operator=(const DeviceVector&) = delete;
  ~DeviceVector() { driver_.free(device_, data_); }

  T* data() const { return data_; }
  std::vector<T> values() {
    std::vector<T> here(count_);
    copied_by_device(rank_, on_host(here), elements());
    return here;
  }

 private:
  ProgramData elements() const { return {data_, static_cast<MPI_Count>(count_ * sizeof(T))}; }
  static ProgramData on_host(const std::vector<T>& values) {
    return {const_cast<T*>(values.data()), static_cast<MPI_Count>(values.size() * sizeof(T))};
  }

  gpu::Driver& driver_;
  int device_;
  T* data_;
  std::size_t count_;
  Rank& rank_;
};

}  // namespace kaon::ampi
