// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/pmix/pmix_functions.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {
namespace {

constexpr const char* kLibrary = "libpmix.so.2";  // of PMIx 2 to 6: the client's functions are the same

// Empty: the user has chosen none.
std::string chosen_library() {
  const char* const chosen = std::getenv("KAON_PMIX_LIBRARY");
  return chosen != nullptr ? chosen : "";
}

std::string library_name() {
  const std::string chosen = chosen_library();
  return chosen.empty() ? kLibrary : chosen;
}

// Where a launcher that was installed by itself has its own libpmix: mpirun of Open MPI 5 names its folder of
// libraries, PMIx where it was moved to.
std::vector<std::string> folders_of_launcher() {
  std::vector<std::string> folders;
  if (const char* libraries = std::getenv("OMPI_LIBDIR_LOC")) folders.emplace_back(libraries);
  if (const char* prefix = std::getenv("PMIX_PREFIX"))
    for (const char* folder : {"/lib", "/lib64"}) folders.push_back(std::string(prefix) + folder);
  for (std::size_t own = 0, count = folders.size(); own < count; ++own) folders.push_back(folders[own] + "/openmpi");
  return folders;
}

// What this program, its MPI, say, has loaded already goes first: two would take each other's variables and places. The
// launcher's goes before the system's, at which a server of another version may write errors that are none.
void* load_launchers() {
  if (void* loaded = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD)) return loaded;
  for (const std::string& folder : folders_of_launcher())
    if (void* library = dlopen((folder + "/" + kLibrary).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

void* load() {
  if (void* library = chosen_library().empty() ? load_launchers() : nullptr) return library;
  const std::string name = library_name();
  if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  const char* reason = dlerror();
  throw UsageError("a launcher that speaks PMIx has started this process, but " + name + " cannot be loaded (" +
                   (reason != nullptr ? reason : "no reason is given") +
                   "): install the launcher's libpmix here (Debian: libpmix2), or name it by KAON_PMIX_LIBRARY");
}

template <class Function>
void find(void* library, const char* name, Function*& found) {
  found = reinterpret_cast<Function*>(dlsym(library, name));
  if (found == nullptr) throw UsageError(library_name() + " has no " + name + ": it is not PMIx of version 2 or later");
}

// Never unloaded: its threads may outlast us.
PmixFunctions load_functions() {
  void* library = load();
  PmixFunctions found{};
  find(library, "PMIx_Init", found.init);
  find(library, "PMIx_Finalize", found.finalize);
  find(library, "PMIx_Abort", found.abort);
  find(library, "PMIx_Put", found.put);
  find(library, "PMIx_Commit", found.commit);
  find(library, "PMIx_Fence_nb", found.fence_nb);
  find(library, "PMIx_Get", found.get);
  find(library, "PMIx_Error_string", found.error_string);
  find(library, "PMIx_Register_event_handler", found.register_event_handler);
  find(library, "PMIx_Deregister_event_handler", found.deregister_event_handler);
  return found;
}

}  // namespace

const PmixFunctions& pmix_functions() {
  static const PmixFunctions functions = load_functions();
  return functions;
}

}  // namespace kaon::launch
