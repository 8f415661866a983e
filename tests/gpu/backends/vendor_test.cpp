// SPDX-License-Identifier: Apache-2.0
// What can be seen of a vendor's back end without a device.
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

TEST_CASE("CUDA is told of 32 queues before its first call, unless the user says otherwise", "[gpu][vendor]") {
  if (kVendor != Backend::cuda) return;
  constexpr const char* kQueues = "CUDA_DEVICE_MAX_CONNECTIONS";
  std::string why;
  {
    const Variable given(kQueues, "7");
    make_vendor_driver(why);
    CHECK(std::string(std::getenv(kQueues)) == "7");
  }
  make_vendor_driver(why);
  CHECK(std::string(std::getenv(kQueues)) == "32");
  CHECK(std::getenv("CUDA_MODULE_LOADING") == nullptr);  // other libraries load theirs as they like
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
