// SPDX-License-Identifier: Apache-2.0
// Copies that kernels start: graphs of the vendor's.
#include <vector>

#define KAON_VENDOR_API 1
#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/backends/vendor_call.hpp"
#include "kaon/gpu/backends/vendor_driver.hpp"

namespace kaon::gpu {

// Linked device code is for one generation of devices: the driver does not compile it anew, as it does other kernels.
std::string VendorDriver::why_no_started_copies(int device) const {
  constexpr int kBuiltFor = KAON_LEAST_CAPABILITY;
  if (!vendor::kKernelsLaunchGraphs) return fmt::format("kernels of {} cannot launch graphs", vendor::kLibrary);
  vendor::Properties properties{};
  check(vendor::get_properties(&properties, device), "describe device {}", device);
  if (kBuiltFor == 0 || properties.major == kBuiltFor / 10) return {};
  return fmt::format(
      "device {} ({}) has compute capability {}.{}, and the kernel that starts copies was built for {}.{}: configure "
      "with -D KAON_CUDA_ARCHITECTURE=sm_{}{}",
      device, properties.name, properties.major, properties.minor, kBuiltFor / 10, kBuiltFor % 10, properties.major,
      properties.minor);
}

// The words are stored by a kernel, which begins when the data is there. A copy of them behind the copy of the data
// does not wait for that: between two H200 some data of one in 2,000 came more than 30 us behind its flag.
NativeCopy VendorDriver::prepare_copy(int device, const StartedCopy& copy, NativeStream stream) {
  const vendor::CopyNode data{copy.to, copy.from, copy.bytes};
  StartedCopy::Words words = copy.words();
  void* arguments[] = {&words};
  const BesideCaptures beside;
  const OnDevice on(device);
  vendor::Graph graph{};
  check(vendor::make_kernel_graph(&graph, copy.store, 1, arguments, static_cast<vendor::Stream>(stream),
                                  copy.bytes > 0 ? &data : nullptr),
        "prepare a copy of {} bytes that kernels of device {} start", copy.bytes, device);
  return graph;
}

void VendorDriver::destroy_copy(NativeCopy copy) noexcept {
  const BesideCaptures beside;
  static_cast<void>(vendor::destroy_graph(static_cast<vendor::Graph>(copy)));
}

// By so many copies, which are destroyed at once: the driver keeps their room. Callers may have taken room for copies
// that they have not prepared yet, so that those there are do not count.
void VendorDriver::make_copy_room(int device, std::size_t count, const StartedCopy& like, NativeStream stream) {
  std::vector<NativeCopy> made;
  const auto destroy_all = [&] {
    for (const NativeCopy copy : made) destroy_copy(copy);
  };
  try {
    while (made.size() < count) made.push_back(prepare_copy(device, like, stream));
  } catch (...) {
    destroy_all();
    throw;
  }
  destroy_all();
  copy_rooms().grow(device, count);
}

}  // namespace kaon::gpu
