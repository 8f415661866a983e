// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/function_table.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "kaon/runtime/base/error.hpp"

namespace kaon::ampi {

namespace {

constexpr const char* kLibrary = "libmpi_abi.so.1";

}  // namespace

std::filesystem::path mpi_library_of_this_program() {
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  for (const char* lib : {"lib", KAON_LIBRARY_FOLDER})
    if (const std::filesystem::path path = folder / lib / kLibrary; std::filesystem::exists(path)) return path;
  throw runtime::UsageError(fmt::format("there is no {} in {}: build the target mpi_abi, or install Kaon anew",
                                        kLibrary, (folder / "lib").string()));
}

void load_mpi_library(const std::filesystem::path& library) {
  // global: programs and their libraries find the functions of MPI by their names
  if (dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr)
    throw runtime::UsageError(fmt::format("{} cannot be loaded: {}", library.string(), dlerror()));
}

}  // namespace kaon::ampi
