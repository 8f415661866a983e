// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/environment.hpp"

#include <unistd.h>

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {
namespace {

// What launchers leave that have no PMIx, or were told to do without: the number of processes, where they tell it, and
// which of them this one is.
struct Sign {
  const char* count;
  const char* rank;
  bool is_of_processes;  // the rank: nobody but processes sees it, not the script around them
  const char* cure;      // with kaonrun, which always is one
};

constexpr const char* kOfMpich =
    "by a launcher that speaks PMIx, which MPICH's mpiexec does not: `mpirun` of Open MPI, `prterun`, or "
    "`srun --mpi=pmix`; a program of MPI gives its processes to its session (kaon/mpi_peers.hpp)";

constexpr std::array kSigns{
    Sign{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", false,
         "by an mpirun of Open MPI that has PMIx (version 2 or later)"},
    Sign{"PMI_SIZE", "PMI_RANK", true, kOfMpich},
    Sign{"PMI_SIZE", "PMI_ID", true, kOfMpich},  // mpiexec -pmi-port
    Sign{"SLURM_NTASKS", "SLURM_PROCID", false, "by `srun --mpi=pmix`"},
};

std::optional<int> number(const ReadVariable& read, const char* name) {
  const char* value = read(name);
  if (value == nullptr) return std::nullopt;
  const std::string_view text(value);
  int found = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), found);
  if (error != std::errc() || end != text.end())
    throw UsageError(std::string(name) + "=" + value + " is not a number; it is set by the launcher, do not change it");
  return found;
}

// All processes find the same, and many launchers let each say so to its end: only the first gives the cure.
[[noreturn]] void refuse(const ReadVariable& read, const std::string& found, const Sign& sign) {
  const char* rank = read(sign.rank);
  if (rank != nullptr && std::string_view(rank) != "0")
    throw UsageError(found + ", " + sign.rank + "=" + rank +
                     ": the first process says what is wrong with this launcher");
  throw UsageError(found +
                   " says that a launcher has started several processes, which would not find each other: start them "
                   "with `kaonrun -n Q PROGRAM`, or " +
                   sign.cure + "; to run alone, unset it");
}

void refuse_other_launchers(const ReadVariable& read) {
  for (const Sign& sign : kSigns) {
    const std::optional<int> count = number(read, sign.count);
    if (count.value_or(1) > 1) refuse(read, std::string(sign.count) + "=" + read(sign.count), sign);
    if (!count && sign.is_of_processes && read(sign.rank) != nullptr) refuse(read, sign.rank, sign);
  }
}

// Both are set by the server's library for each process that it prepares, and inherited by what such a process starts.
bool has_pmix_server(const ReadVariable& read) {
  const char *job = read("PMIX_NAMESPACE"), *rank = read("PMIX_RANK");
  if (job == nullptr || rank == nullptr) return false;
  const std::string self = joined_as(job, rank), place = self.substr(0, self.rfind(' '));
  const char* joined = read(kJoinedVariable);
  if (joined != nullptr && joined != self && std::string_view(joined).starts_with(place))
    throw UsageError(
        "this process was started by one that belongs to a run of a launcher, which has its place in that run; to "
        "start a run of its own from here, unset PMIX_NAMESPACE");
  return true;  // also in another job, which a process of the first has started
}

}  // namespace

std::string joined_as(const char* job, const char* rank) {
  return std::string(job) + "." + rank + " by " + std::to_string(getpid());
}

Starter find_starter(const ReadVariable& read) {
  if (const std::optional<int> socket = number(read, "KAON_BOOTSTRAP_FD")) return {Starter::Kind::kaonrun, *socket};
  if (number(read, "KAON_PROCESSES").value_or(1) > 1)
    throw UsageError(
        "this process belongs to a run of kaonrun, but the way to it was used up: a process joins its run "
        "once; to start a run of its own from here, unset KAON_PROCESSES");
  if (has_pmix_server(read)) return {Starter::Kind::pmix};
  if (read(kJoinedVariable) != nullptr) return {};  // what the launcher has left was for the process that started us
  refuse_other_launchers(read);
  return {};
}

}  // namespace kaon::launch
