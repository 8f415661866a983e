// SPDX-License-Identifier: Apache-2.0
// Versions, memory, clocks, the processor's name.
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/interface/device_allocation.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/runtime/base/version.hpp"

using namespace kaon::ampi;

namespace {

constexpr std::size_t kAlignment = 64;  // bytes: a line of the cache, and more than any element needs

/// A text into a place for `room` bytes.
void give_text(std::string_view text, std::size_t room, char* to, int* length) {
  require_place(to, "the string");
  require_place(length, "resultlen");
  const std::size_t bytes = std::min(text.size(), room - 1);
  std::memcpy(to, text.data(), bytes);
  to[bytes] = '\0';
  *length = static_cast<int>(bytes);
}

/// The alignment that MPI_Alloc_mem is asked for by a hint of MPI-4.
std::size_t wanted_alignment(const Info* info) {
  const std::string* const text = info != nullptr ? info->find("mpi_minimum_memory_alignment") : nullptr;
  const std::size_t wanted = text != nullptr ? std::strtoull(text->c_str(), nullptr, 10) : 0;
  return (wanted & (wanted - 1)) == 0 ? std::max(wanted, kAlignment) : kAlignment;
}

/// A hint of Kaon's own: "device" for memory of the device of the rank's PE.
bool is_for_device(const Info* info) {
  const std::string* const kind = info != nullptr ? info->find("kaon_memory_kind") : nullptr;
  return kind != nullptr && *kind == "device";
}

void* allocate_on_host(MPI_Aint size, std::size_t alignment) {
  void* memory = nullptr;
  require(posix_memalign(&memory, alignment, static_cast<std::size_t>(std::max<MPI_Aint>(size, 1))) == 0,
          MPI_ERR_NO_MEM, "there are no {} bytes of memory", size);
  return memory;
}

}  // namespace

int MPI_Get_version(int* version, int* subversion) {
  return mpi_call("MPI_Get_version", [&] {
    require_place(version, "version");
    require_place(subversion, "subversion");
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
  });
}

int MPI_Get_library_version(char* version, int* resultlen) {
  return mpi_call("MPI_Get_library_version", [&] {
    give_text(fmt::format("Kaon AMPI {}", kaon::runtime::kVersion), MPI_MAX_LIBRARY_VERSION_STRING, version, resultlen);
  });
}

int MPI_Get_processor_name(char* name, int* resultlen) {
  return mpi_call("MPI_Get_processor_name", [&] {
    char host[MPI_MAX_PROCESSOR_NAME] = {};
    require(gethostname(host, sizeof host - 1) == 0, MPI_ERR_OTHER, "this machine has no name: {}",
            std::strerror(errno));
    give_text(host, MPI_MAX_PROCESSOR_NAME, name, resultlen);
  });
}

int MPI_Abi_get_version(int* abi_major, int* abi_minor) {
  return mpi_call("MPI_Abi_get_version", [&] {
    require_place(abi_major, "abi_major");
    require_place(abi_minor, "abi_minor");
    *abi_major = MPI_ABI_VERSION;
    *abi_minor = MPI_ABI_SUBVERSION;
  });
}

int MPI_Abi_get_info(MPI_Info* info) {
  return mpi_call("MPI_Abi_get_info", [&] {
    require_place(info, "info");
    Info sizes;
    sizes.set("mpi_aint_size", std::to_string(sizeof(MPI_Aint)));
    sizes.set("mpi_count_size", std::to_string(sizeof(MPI_Count)));
    sizes.set("mpi_offset_size", std::to_string(sizeof(MPI_Offset)));
    *info = give_info(std::move(sizes));
  });
}

int MPI_Get_hw_resource_info(MPI_Info* hw_info) {
  return mpi_call("MPI_Get_hw_resource_info", [&] {
    require_place(hw_info, "hw_info");
    *hw_info = give_info({});  // ranks are on no part of a machine for good
  });
}

int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr) {
  return mpi_call("MPI_Alloc_mem", [&] {
    require_place(baseptr, "baseptr");
    require(size >= 0, MPI_ERR_ARG, "the size is {}", size);
    const Info* const hints = info_or_null(info);
    void* const memory = is_for_device(hints) ? allocate_on_device(running_rank(), static_cast<std::size_t>(size))
                                              : allocate_on_host(size, wanted_alignment(hints));
    std::memcpy(baseptr, &memory, sizeof memory);
  });
}

int MPI_Free_mem(void* base) {
  return mpi_call("MPI_Free_mem", [&] {
    if (Rank* const rank = current_rank_or_null(); rank == nullptr || !free_on_device(*rank, base)) std::free(base);
  });
}

double MPI_Wtime() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double MPI_Wtick() { return std::chrono::duration<double>(std::chrono::steady_clock::duration(1)).count(); }

int MPI_Pcontrol(const int, ...) { return MPI_SUCCESS; }
