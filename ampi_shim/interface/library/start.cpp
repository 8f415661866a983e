// SPDX-License-Identifier: Apache-2.0
// What libmpi_abi.so does as it is loaded. In ampirun its jumps get their targets. In a program that was started by
// itself there is no MPI to jump to: ampirun takes the program over, as one rank, from its beginning. It needs no more
// of C++ than the language, since programs in C load it.
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "kaon/ampi_shim/interface/library/function_list.hpp"

extern "C" [[gnu::visibility("hidden")]] KaonMpiFunctions::Function kaon_mpi_jumps[KAON_MPI_FUNCTION_COUNT];

namespace {

constexpr const char* kLibrary = "libmpi_abi.so";
constexpr int kBytesOfArguments = 4 << 20;  // more than the kernel passes by default
constexpr int kMostArguments = 1 << 17;

char program[PATH_MAX];  // what runs now
char ampirun[PATH_MAX];

void read_program() {
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length < 0 ? 0 : length] = '\0';
}

/// Beside this library: in ../bin, or a folder further up where libraries have one for each kind of machine.
bool find_ampirun() {
  Dl_info here;
  if (dladdr(reinterpret_cast<void*>(&read_program), &here) == 0 || realpath(here.dli_fname, ampirun) == nullptr)
    return false;
  for (int up = 0; up < 3; ++up) {
    char* slash = std::strrchr(ampirun, '/');
    if (slash == nullptr) return false;
    *slash = '\0';
    if (up == 0) continue;  // the library's own folder
    constexpr char kName[] = "/bin/ampirun";
    if (std::strlen(ampirun) + sizeof kName > sizeof ampirun) return false;
    char* end = ampirun + std::strlen(ampirun);
    std::memcpy(end, kName, sizeof kName);
    if (access(ampirun, X_OK) == 0) return true;
    *end = '\0';
  }
  return false;
}

[[noreturn]] void refuse(const char* why) {
  std::fprintf(stderr, "%s is an MPI program: start it as 'ampirun -n RANKS %s'. %s\n", program, program, why);
  _exit(EXIT_FAILURE);
}

/// The arguments of this process behind its name, into `places`; how many. What they are is kept until the process
/// becomes another.
int read_arguments(char** places) {
  static char text[kBytesOfArguments];
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t bytes = 0;
  for (ssize_t got = 1; file >= 0 && got > 0 && bytes < kBytesOfArguments; bytes += got)
    if ((got = read(file, text + bytes, kBytesOfArguments - bytes)) < 0) break;
  if (file >= 0) close(file);
  int count = 0;
  for (ssize_t at = std::strlen(text) + 1; at < bytes && count < kMostArguments; at += std::strlen(text + at) + 1)
    places[count++] = text + at;
  return count;
}

/// The target of each jump until there is another: this process becomes "ampirun -n 1 PROGRAM ARGUMENTS".
[[noreturn]] void start_again() {
  static char ranks[] = "-n", one[] = "1";
  static char* arguments[kMostArguments + 5];
  char* const first[] = {ampirun, ranks, one, program};
  std::memcpy(arguments, first, sizeof first);
  read_program();
  if (std::getenv("KAON_INSIDE_AMPIRUN") != nullptr)
    refuse(
        "(It was started by another program that ampirun runs, such as a shell, env, nice or timeout, and would be a "
        "run "
        "of its own. If that is meant, take KAON_INSIDE_AMPIRUN out of its environment.)");
  if (!find_ampirun())
    refuse("(Without it one rank would run, but there is no ampirun in the bin beside the library.)");
  if (std::strcmp(ampirun, program) == 0) refuse("(This ampirun was linked without the functions of MPI.)");
  read_arguments(arguments + 4);
  execv(ampirun, arguments);
  refuse(std::strerror(errno));
}

/// Whether the program itself was linked with this library; a tool that happens to load it should go on.
bool is_needed_by_program() {
  const ElfW(Dyn)* dynamic = nullptr;
  const auto first = [](dl_phdr_info* object, std::size_t, void* found) {
    for (int i = 0; i < object->dlpi_phnum; ++i)
      if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
        *static_cast<const ElfW(Dyn)**>(found) =
            reinterpret_cast<const ElfW(Dyn)*>(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    return 1;  // the program comes first; no other is wanted
  };
  dl_iterate_phdr(first, &dynamic);
  const char* names = nullptr;
  for (const ElfW(Dyn)* entry = dynamic; entry != nullptr && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  for (const ElfW(Dyn)* entry = dynamic; names != nullptr && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_NEEDED && std::strncmp(names + entry->d_un.d_val, kLibrary, std::strlen(kLibrary)) == 0)
      return true;
  return false;
}

[[gnu::constructor]] void connect() {
  const KaonMpiFunctions* functions = &kaon_mpi_functions;
  if (functions == nullptr) {
    for (auto& jump : kaon_mpi_jumps) jump = &start_again;
    if (is_needed_by_program()) start_again();
    return;
  }
  if (functions->hash != KAON_MPI_FUNCTION_HASH || functions->count != KAON_MPI_FUNCTION_COUNT) {
    read_program();
    std::fprintf(stderr, "%s and the %s that it has loaded are of different builds of Kaon: install both anew\n",
                 program, kLibrary);
    _exit(EXIT_FAILURE);
  }
  std::memcpy(kaon_mpi_jumps, functions->begin(), sizeof kaon_mpi_jumps);
}

}  // namespace
