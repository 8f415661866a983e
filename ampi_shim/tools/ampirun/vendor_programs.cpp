// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/tools/ampirun/vendor_programs.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "kaon/ampi_shim/program/library_variables.hpp"
#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/device/installed_devices.hpp"

namespace kaon::ampi {
namespace {

// A program names the runtime library that it needs; the one that is linked statically names the driver's library.
constexpr std::array<std::string_view, 2> kCudaNames{"libcudart.so", "libcuda.so"};
constexpr std::array<std::string_view, 1> kHipNames{"libamdhip64.so"};

template <class Names>
bool has_one_of(const Names& names, std::string_view text) {
  return std::any_of(names.begin(), names.end(), [text](std::string_view name) {
    return memmem(text.data(), text.size(), name.data(), name.size()) != nullptr;
  });
}

bool names_vendor(std::string_view text) {
  return gpu::kVendor == gpu::Backend::hip ? has_one_of(kHipNames, text) : has_one_of(kCudaNames, text);
}

/// False as well for what cannot be read.
bool file_names_vendor(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat facts {};
  const std::size_t bytes = fstat(file, &facts) == 0 ? static_cast<std::size_t>(facts.st_size) : 0;
  void* const memory = bytes > 0 ? mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  close(file);
  if (memory == MAP_FAILED) return false;
  const bool names = names_vendor({static_cast<const char*>(memory), bytes});
  munmap(memory, bytes);
  return names;
}

}  // namespace

bool uses_devices(const std::string& program, const std::set<std::string>& before) {
  if (!gpu::kHasVendor) return false;
  std::set<std::string> files{program};
  for (const std::string& library : loaded_libraries())
    if (!before.contains(library)) files.insert(library);
  return std::any_of(files.begin(), files.end(), &file_names_vendor) && gpu::installed_devices(gpu::kVendor) > 0;
}

}  // namespace kaon::ampi
