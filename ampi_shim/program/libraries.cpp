// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/libraries.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include "kaon/ampi_shim/program/dynamic_table.hpp"

namespace kaon::ampi {
namespace {

// Global, as the libraries of a process are, so that plug-ins which these load find them. Lazy, because a library may
// call functions that the program has: those are not found, and fail only when called. For good, as in a process:
// threads that a library has made, as OpenMP's keeps them, run its code to the end.
constexpr int kFlags = RTLD_LAZY | RTLD_GLOBAL | RTLD_NODELETE;

// What is loaded already comes first: the MPI library of this process, wherever the program was linked with another.
void* open_library(const std::string& name, const std::vector<std::string>& folders) {
  if (void* loaded = dlopen(name.c_str(), kFlags | RTLD_NOLOAD)) return loaded;
  for (const auto& folder : folders) {
    const std::string path = folder + "/" + name;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) continue;
    if (void* loaded = dlopen(path.c_str(), kFlags)) return loaded;
  }
  return dlopen(name.c_str(), kFlags);
}

// ThreadSanitizer's library of g++ and that of clang (-shared-libsan). They call the same functions.
bool is_thread_sanitizer(std::string_view library) {
  return library.starts_with("libtsan.") || library.starts_with("libclang_rt.tsan");
}

bool is_sanitizer(std::string_view library) {
  constexpr std::string_view kNames[] = {"libasan.", "liblsan.", "libhwasan.", "libclang_rt.asan"};
  return is_thread_sanitizer(library) ||
         std::any_of(std::begin(kNames), std::end(kNames), [library](auto name) { return library.starts_with(name); });
}

bool has_thread_sanitizer() { return dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr; }

// libmpi_abi is none of these.
bool is_of_another_mpi(std::string_view library) {
  constexpr std::string_view kNames[] = {"libmpi.", "libmpich.", "libmpi_cxx."};
  return std::any_of(std::begin(kNames), std::end(kNames), [library](auto name) { return library.starts_with(name); });
}

// What this executable or a tool put in the place of the allocator serves all that is in the process: memory is passed
// between the program and its libraries.
bool is_of_allocator(std::string_view name) {
  constexpr std::string_view kNames[] = {"malloc", "calloc",   "realloc",           "reallocarray",
                                         "free",   "memalign", "aligned_alloc",     "posix_memalign",
                                         "valloc", "pvalloc",  "malloc_usable_size"};
  constexpr std::string_view kOperators[] = {"_Znw", "_Zna", "_Zdl", "_Zda"};  // new, new[], delete, delete[]
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) ||
         std::find(std::begin(kOperators), std::end(kOperators), name.substr(0, 4)) != std::end(kOperators);
}

// What instrumented code calls, and what stands in the place of functions of libraries.
bool is_of_thread_sanitizer(const std::string& name) {
  return name.starts_with("__tsan_") || dlsym(RTLD_DEFAULT, ("__interceptor_" + name).c_str()) != nullptr;
}

}  // namespace

Libraries::Libraries(const ExecutableFile& file, const DynamicTable& table) {
  open_preloaded();
  open_needed(file, table);
}

Libraries::~Libraries() {
  for (void* handle : handles_) dlclose(handle);
}

void Libraries::open_preloaded() {
  const char* preloaded = std::getenv("LD_PRELOAD");
  std::string_view rest = preloaded == nullptr ? "" : preloaded;
  while (!rest.empty()) {
    const auto end = std::min(rest.find_first_of(" :"), rest.size());
    const std::string name(rest.substr(0, end));
    if (void* handle = name.empty() ? nullptr : dlopen(name.c_str(), kFlags | RTLD_NOLOAD)) handles_.push_back(handle);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void Libraries::open_needed(const ExecutableFile& file, const DynamicTable& table) {
  const auto folders = table.library_folders();
  for (const auto& name : table.needed_libraries()) {
    if (is_thread_sanitizer(name) && has_thread_sanitizer()) {
      is_instrumented_ = true;  // by functions that this executable has: a second library would know no thread
      continue;
    }
    if (is_sanitizer(name) && dlopen(name.c_str(), kFlags | RTLD_NOLOAD) == nullptr) {
      file.refuse(
          "it was compiled with a sanitizer, which must be in a process from its start; build it without -fsanitize, "
          "or run what -fsanitize=thread has compiled by an ampirun that was built so too (the preset tsan)");
    }
    if (is_of_another_mpi(name)) {
      file.refuse(fmt::format("it was linked with another MPI, {}; build it with ampicc or ampicxx", name));
    }
    void* handle = open_library(name, folders);
    if (handle == nullptr) {
      file.refuse(fmt::format("a library that it needs was not loaded: {}. LD_LIBRARY_PATH names folders to look in",
                              dlerror()));
    }
    handles_.push_back(handle);
  }
}

void* Libraries::find(std::string_view name, std::string_view version) const {
  const std::string symbol(name);
  const std::string exact(version);
  if (is_of_allocator(name) || (is_instrumented_ && is_of_thread_sanitizer(symbol))) {
    if (void* found = dlsym(RTLD_DEFAULT, symbol.c_str())) return found;
  }
  for (void* handle : handles_) {
    void* found = exact.empty() ? nullptr : dlvsym(handle, symbol.c_str(), exact.c_str());
    if (found == nullptr) found = dlsym(handle, symbol.c_str());
    if (found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace kaon::ampi
