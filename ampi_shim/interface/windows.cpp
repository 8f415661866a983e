// SPDX-License-Identifier: Apache-2.0
// Windows: how they are made, what memory they have, and how they end.
#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <string>

#include "kaon/ampi_shim/devices/program_device.hpp"
#include "kaon/ampi_shim/interface/both_widths.hpp"
#include "kaon/ampi_shim/interface/communicator_arguments.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/interface/window_arguments.hpp"
#include "kaon/ampi_shim/interface/window_hints.hpp"
#include "kaon/ampi_shim/windows/window_creation.hpp"

using namespace kaon::ampi;

namespace {

bool is_true(const Info* info, const char* key) {
  const std::string* const value = info != nullptr ? info->find(key) : nullptr;
  return value != nullptr && *value == "true";
}

std::size_t alignment_of(const Info* info) {
  constexpr std::size_t kLine = 64, kMost = std::size_t{1} << 21;
  const std::string* const text = info != nullptr ? info->find("mpi_minimum_memory_alignment") : nullptr;
  const std::size_t wanted = text != nullptr ? std::strtoull(text->c_str(), nullptr, 10) : 0;
  return std::has_single_bit(wanted) ? std::clamp(wanted, kLine, kMost) : kLine;
}

void check_offer(Rank& rank, const Communicator& communicator, const WindowOffer& offer) {
  require_intra(communicator);
  require(offer.size >= 0, MPI_ERR_SIZE, "the size is {}", offer.size);
  require(offer.unit > 0, MPI_ERR_DISP, "the displacement unit is {}", offer.unit);
  if (offer.flavor != MPI_WIN_FLAVOR_CREATE || offer.size == 0) return;
  require(offer.base != nullptr, MPI_ERR_BUFFER, "base is a null pointer");
  require(!is_in_device_memory(rank, offer.base, offer.size, nullptr), MPI_ERR_UNSUPPORTED_OPERATION,
          "the memory is a device's, of which no window can be made yet: take memory of the host");
}

int make(WindowOffer offer, MPI_Info info, MPI_Comm comm, void* base_place, MPI_Win* win) {
  return communicator_call(offer.function, comm, [&](Rank& rank, Communicator& communicator) {
    require_place(win, "win");
    check_offer(rank, communicator, offer);
    const Info* const hints = info_or_null(info);
    offer.is_packed = offer.flavor == MPI_WIN_FLAVOR_SHARED && !is_true(hints, "alloc_shared_noncontig");
    offer.alignment = alignment_of(hints);
    Window& window = make_window(rank, communicator, offer);
    set_default_hints(window);
    if (hints != nullptr) set_hints(window, *hints);
    if (base_place != nullptr) std::memcpy(base_place, &window.own.base, sizeof window.own.base);
    *win = window.handle();
  });
}

int allocate(const char* function, int flavor, MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void* base,
             MPI_Win* win) {
  if (base == nullptr) return mpi_call(function, comm, [&] { require_place(base, "baseptr"); });
  WindowOffer offer{function, flavor, nullptr, size, unit};
  return make(offer, info, comm, base, win);
}

void require_dynamic(const Window& window) {
  require(window.is_dynamic(), MPI_ERR_RMA_FLAVOR, "the window was not made by MPI_Win_create_dynamic");
}

/// The member whose part MPI_PROC_NULL stands for: the first that has memory.
int first_with_memory(const Window& window) {
  const int size = window.communicator().size();
  for (int member = 0; member < size; ++member)
    if (window.part(member).size > 0) return member;
  return 0;
}

template <class Unit>
int query(const char* function, MPI_Win win, int rank, MPI_Aint* size, Unit* unit, void* base) {
  return window_call(function, win, [&](const Window& window) {
    require_place(size, "size");
    require_place(unit, "disp_unit");
    require_place(base, "baseptr");
    require(!window.is_dynamic(), MPI_ERR_RMA_FLAVOR, "a dynamic window has no memory of its own");
    if (rank != MPI_PROC_NULL) check_member(window, rank);
    const WindowPart& part = window.part(rank != MPI_PROC_NULL ? rank : first_with_memory(window));
    std::byte* const memory = part.is_direct && part.size > 0 ? part.base : nullptr;
    *size = part.is_direct ? part.size : 0;
    *unit = static_cast<Unit>(part.unit);
    std::memcpy(base, &memory, sizeof memory);
  });
}

}  // namespace

KAON_BOTH_WIDTHS(MPI_Win_create,
                 (void* base, MPI_Aint size, Displacement disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win* win),
                 const WindowOffer offer{function, MPI_WIN_FLAVOR_CREATE, base, size, disp_unit};
                 return make(offer, info, comm, nullptr, win))
KAON_BOTH_WIDTHS(MPI_Win_allocate,
                 (MPI_Aint size, Displacement disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr, MPI_Win* win),
                 return allocate(function, MPI_WIN_FLAVOR_ALLOCATE, size, disp_unit, info, comm, baseptr, win))
KAON_BOTH_WIDTHS(MPI_Win_allocate_shared,
                 (MPI_Aint size, Displacement disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr, MPI_Win* win),
                 return allocate(function, MPI_WIN_FLAVOR_SHARED, size, disp_unit, info, comm, baseptr, win))
KAON_BOTH_WIDTHS(MPI_Win_shared_query, (MPI_Win win, int rank, MPI_Aint* size, Displacement* disp_unit, void* baseptr),
                 return query(function, win, rank, size, disp_unit, baseptr))

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win) {
  const WindowOffer offer{"MPI_Win_create_dynamic", MPI_WIN_FLAVOR_DYNAMIC, nullptr, 0, 1};
  return make(offer, info, comm, nullptr, win);
}

int MPI_Win_attach(MPI_Win win, void* base, MPI_Aint size) {
  return window_call("MPI_Win_attach", win, [&](Window& window) {
    require_dynamic(window);
    require(size >= 0, MPI_ERR_SIZE, "the size is {}", size);
    require(base != nullptr || size == 0, MPI_ERR_BUFFER, "base is a null pointer");
    require(size == 0 || !is_in_device_memory(window.rank(), base, size, nullptr), MPI_ERR_RMA_ATTACH,
            "the memory is a device's, which cannot be attached yet");
    const bool is_new = window.attached.attach(reinterpret_cast<std::uintptr_t>(base), static_cast<std::size_t>(size));
    require(is_new, MPI_ERR_RMA_ATTACH, "some of this memory is attached already");
  });
}

int MPI_Win_detach(MPI_Win win, const void* base) {
  return window_call("MPI_Win_detach", win, [&](Window& window) {
    require_dynamic(window);
    const bool was_there = window.attached.detach(reinterpret_cast<std::uintptr_t>(base));
    require(was_there, MPI_ERR_RMA_ATTACH, "no memory that begins there is attached");
  });
}

int MPI_Win_free(MPI_Win* win) {
  if (win == nullptr) return mpi_call("MPI_Win_free", [&] { require_place(win, "win"); });
  return window_call("MPI_Win_free", *win, [&](Window& window) {
    const int code = free_window(window);
    require(code == MPI_SUCCESS, code, "the delete function of an attribute has failed");
    *win = MPI_WIN_NULL;
  });
}
