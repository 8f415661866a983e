// SPDX-License-Identifier: Apache-2.0
// A kernel with a forgotten barrier: built with ThreadSanitizer, that must find it.
#include <memory>
#include <thread>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "tests/gpu/kernels/block.kernels.hpp"

int main() {
  using namespace kaon::gpu;
  const auto driver = make_host_driver({.seed = 1});
  std::vector<int> values(64, 1);
  const NativeStream stream = driver->make_stream(0);
  launch(Backend::host, stream, {{1}, {64}}, test::TurnWithoutBarrier{values.data()});
  const NativeEvent event = driver->make_event(0);
  driver->record(event, stream);
  while (!driver->is_reached(event)) driver->advance();
  driver->destroy_event(event);
  driver->destroy(stream);
}
