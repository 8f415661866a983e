// SPDX-License-Identifier: Apache-2.0
// What can be seen of a vendor's back end without a device.
#include <array>
#include <cstdlib>
#include <set>
#include <string>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/backends/kernel_record.hpp"
#include "tests/gpu/kernels/block.kernels.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/variable.hpp"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wundefined-var-template"  // records are defined where kernels are compiled
#endif

using namespace kaon::gpu;
using kaon::testing::Variable;

// CUDA reads it at its first call. With 32 queues instead of its own 8, each small payload between two GPUs takes 0.7
// us more and Jacobi3D a tenth.
TEST_CASE("CUDA's number of queues and its way of loading are the user's", "[gpu][vendor]") {
  constexpr std::array kSettings{"CUDA_DEVICE_MAX_CONNECTIONS", "CUDA_MODULE_LOADING"};
  std::string why;
  for (const char* setting : kSettings) {
    if (std::getenv(setting) != nullptr) continue;
    make_vendor_driver(why);
    CHECK(std::getenv(setting) == nullptr);
  }
  const Variable given(kSettings[0], "7");
  make_vendor_driver(why);
  CHECK(std::string(std::getenv(kSettings[0])) == "7");
}

TEST_CASE("a device knows all kernels of the program before it starts, each once", "[gpu][vendor]") {
  std::set<const void*> functions;
  std::size_t count = 0;
  for (const KernelRecord* kernel = KernelRecord::first(); kernel != nullptr; kernel = kernel->next(), ++count)
    functions.insert(kernel->function());
  CHECK(functions.size() == count);
  CHECK_FALSE(functions.contains(nullptr));
  if constexpr (kHasVendor) {
    CHECK(functions.contains(VendorKernel<test::Turn>::record.function()));
    CHECK(functions.contains(VendorKernel<ForEach<test::AddTo<long long, 3>>>::record.function()));
    CHECK(count >= 10);
  } else {
    CHECK(count == 0);
  }
}
