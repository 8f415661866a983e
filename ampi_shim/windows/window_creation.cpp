// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/window_creation.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/ampi_shim/collectives/creation.hpp"
#include "kaon/ampi_shim/collectives/meeting_broadcasts.hpp"
#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "kaon/ampi_shim/messages/buffers.hpp"
#include "kaon/ampi_shim/ranks/world.hpp"
#include "kaon/ampi_shim/windows/synchronization.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::ampi {
namespace {

/// Equal for processes that have a folder in shared memory in common.
std::uint64_t sharing_host(const Rank& rank) {
  const std::string& folder = rank.world().options().shared_folder;
  if (folder.empty()) return rank.scheduler().process().first_pe();
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return std::hash<std::string>{}(name.data() + folder) | std::uint64_t{1} << 63;  // unequal to numbers of PEs
}

template <class Value>
std::vector<Value> gather(const char* name, Rank& rank, Communicator& communicator, Value own) {
  std::vector<Value> all(static_cast<std::size_t>(communicator.size()));
  const Piece mine = bytes_at(&own, sizeof own);
  const Blocks blocks(all.data(), sizeof own, *mine.type);
  if (Meeting* const meeting = Meeting::of(rank, communicator)) {
    AllgatherShare share(mine, blocks);
    meeting->attend({name, rank, communicator}, share);
  } else {
    run_now(name, rank, communicator,
            [&](Schedule& schedule) { plan_allgather(schedule, team_of(communicator), mine, blocks); });
  }
  return all;
}

/// Runs what may fail at some members, so that all of them throw or none. The error classes of all are compared.
template <class Body>
void do_together(const char* name, Rank& rank, Communicator& communicator, Body&& body) {
  struct Outcome {
    int error = MPI_SUCCESS;
  } own;
  std::string text = "another rank of the window has failed to make it";
  try {
    body();
  } catch (const MpiFault& fault) {
    own.error = fault.error_class();
    text = fault.what();
  }
  const std::vector<Outcome> all = gather(name, rank, communicator, own);
  for (const Outcome& each : all)
    if (own.error == MPI_SUCCESS) own = each;
  if (own.error != MPI_SUCCESS) throw MpiFault(own.error, text);
}

PartOffer part_offer(Rank& rank, Window& window, const WindowOffer& offer) {
  PartOffer part;
  part.base = reinterpret_cast<std::uintptr_t>(window.own.base);
  part.control = reinterpret_cast<std::uintptr_t>(&window.own_control());
  part.size = offer.size;
  part.unit = offer.unit;
  part.host = sharing_host(rank);
  part.is_reachable = !window.is_dynamic() && !window.own.is_thread_local;
  return part;
}

/// The segment of this host: one rank makes its file, a rank of each process maps it, and the file goes.
WindowParts::Shared map_segment(Rank& rank, Window& window, const WindowOffer& offer,
                                const std::vector<PartOffer>& offers) {
  Communicator& communicator = window.communicator();
  const SegmentPlan plan(offers, sharing_host(rank), offer.is_packed, offer.alignment);
  const std::string& folder = rank.world().options().shared_folder;
  const std::string path = folder.empty() ? "" : folder + "/window-" + std::to_string(window.context());
  const bool leads = plan.members.front() == communicator.rank();
  do_together(offer.function, rank, communicator, [&] {
    if (offer.flavor == MPI_WIN_FLAVOR_SHARED && plan.members.size() != offers.size())
      throw MpiFault(MPI_ERR_RMA_SHARED,
                     "the ranks of the communicator are on several hosts, or their processes have no shared folder: "
                     "MPI_Comm_split_type with MPI_COMM_TYPE_SHARED gives those of one host");
    if (leads && !path.empty()) SharedSegment::make_file(path, plan.bytes);
  });
  WindowParts::Shared parts;
  try {
    do_together(offer.function, rank, communicator, [&] {
      parts = WindowParts::find_or_make(window.context(),
                                        [&] { return std::make_unique<WindowParts>(offers, plan, path); });
    });
  } catch (...) {
    if (leads) SharedSegment::remove_file(path);
    throw;
  }
  if (leads) SharedSegment::remove_file(path);
  return parts;
}

WindowParts::Shared make_parts(Rank& rank, Window& window, const WindowOffer& offer) {
  Communicator& communicator = window.communicator();
  const std::vector<PartOffer> offers = gather(offer.function, rank, communicator, part_offer(rank, window, offer));
  if (offer.flavor == MPI_WIN_FLAVOR_ALLOCATE || offer.flavor == MPI_WIN_FLAVOR_SHARED)
    return map_segment(rank, window, offer, offers);
  const auto is_local = [&](int member) {
    return rank.scheduler().process().is_local(rank.pe_of(communicator.rank_in_run(member)));
  };
  return WindowParts::find_or_make(window.context(), [&] { return std::make_unique<WindowParts>(offers, is_local); });
}

CommunicatorRef duplicate(const char* name, Rank& rank, Communicator& communicator) {
  CommunicatorRef made = same_groups(communicator);
  run_now(name, rank, communicator,
          [&](Schedule& schedule) { plan_context(schedule, rank, communicator, &made->context_place()); });
  return made;
}

}  // namespace

Window& make_window(Rank& rank, Communicator& communicator, const WindowOffer& offer) {
  OwnPart own;
  own.base = static_cast<std::byte*>(offer.base);
  own.size = offer.size;
  own.unit = static_cast<int>(std::min<MPI_Aint>(offer.unit, std::numeric_limits<int>::max()));  // an attribute
  own.flavor = offer.flavor;
  own.is_thread_local =
      !rank.thread_locals().empty() && Incoming{offer.base, offer.size, nullptr}.meets(rank.thread_locals());
  auto window = std::make_unique<Window>(rank, duplicate(offer.function, rank, communicator), own);
  window->set_parts(make_parts(rank, *window, offer));
  if (window->part(window->communicator().rank()).is_direct)
    window->own.base = window->part(window->communicator().rank()).base;
  rank.part<Windows>().add(*window);
  barrier(offer.function, *window);  // behind it operations may come
  return *window.release();
}

int free_window(Window& window) {
  window.epochs.check_free();
  if (const int code = window.attributes.clear(window.handle()); code != MPI_SUCCESS) return code;
  flush_all(window);
  barrier("MPI_Win_free", window);
  window.rank().part<Windows>().remove(window);
  delete &window;
  return MPI_SUCCESS;
}

}  // namespace kaon::ampi
