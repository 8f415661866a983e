// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/installed_devices.hpp"

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/support/catch.hpp"

namespace kaon::gpu {
namespace {

/// A system of files that shows devices, below a folder of its own.
class Root {
 public:
  Root() {
    std::string pattern = (std::filesystem::temp_directory_path() / "kaon-devices-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Root() { std::filesystem::remove_all(path_); }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;

  void write(const std::string& name, const std::string& text = "") const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }
  [[nodiscard]] int devices(Backend vendor) const { return installed_devices(vendor, path_); }

 private:
  std::filesystem::path path_;
};

const std::string kNodes = "sys/class/kfd/kfd/topology/nodes/";

}  // namespace

TEST_CASE("of the nodes that AMD's driver shows, those with SIMD units are devices", "[device][platform]") {
  const Root root;
  root.write(kNodes + "0/properties", "cpu_cores_count 64\nsimd_count 0\nmem_banks_count 1\n");
  root.write(kNodes + "1/properties", "cpu_cores_count 0\nsimd_count 440\nmem_banks_count 1\n");
  root.write(kNodes + "2/properties", "cpu_cores_count 0\nsimd_count 440\nmem_banks_count 1\n");
  root.write(kNodes + "3/properties");
  CHECK(root.devices(Backend::hip) == 2);
  CHECK(root.devices(Backend::cuda) == 0);
}

TEST_CASE("NVIDIA's devices are those of its driver", "[device][platform]") {
  const Root root;
  root.write("proc/driver/nvidia/gpus/0000:1b:00.0/information");
  root.write("dev/nvidia0");
  root.write("dev/nvidia1");
  CHECK(root.devices(Backend::cuda) == 1);
}

TEST_CASE("where NVIDIA's driver does not show itself, files of devices are counted", "[device][platform]") {
  const Root root;
  for (const char* name : {"nvidia0", "nvidia12", "nvidiactl", "nvidia-uvm", "nvidia", "null"})
    root.write(std::string("dev/") + name);
  CHECK(root.devices(Backend::cuda) == 2);
  CHECK(root.devices(Backend::hip) == 0);
}

TEST_CASE("a system that shows nothing has no devices", "[device][platform]") {
  const Root root;
  for (const Backend vendor : {Backend::cuda, Backend::hip, Backend::host}) CHECK(root.devices(vendor) == 0);
}

}  // namespace kaon::gpu
