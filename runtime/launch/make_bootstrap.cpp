// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/socket.h>

#include <cstdlib>
#include <string>

#include "kaon/runtime/base/descriptors.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/launch/alone_bootstrap.hpp"
#include "kaon/runtime/launch/environment.hpp"
#include "kaon/runtime/launch/interruption.hpp"
#include "kaon/runtime/launch/peers_bootstrap.hpp"
#include "kaon/runtime/launch/socket_bootstrap.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"

#if KAON_WITH_PMIX
#include "kaon/runtime/launch/pmix/pmix_bootstrap.hpp"
#endif

namespace kaon::launch {
namespace {

bool is_socket(int descriptor) {
  int type = 0;
  socklen_t bytes = sizeof type;
  return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0;
}

// From here on it is ours alone: what this program starts is not part of the run.
Descriptor adopt(int socket) {
  if (!is_socket(socket))
    throw UsageError(
        "descriptor " + std::to_string(socket) +
        " of KAON_BOOTSTRAP_FD is not open; whatever runs between kaonrun and this program must pass it on");
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  unsetenv("KAON_BOOTSTRAP_FD");
  return Descriptor(socket);
}

std::unique_ptr<Bootstrap> join_by_pmix() {
#if KAON_WITH_PMIX
  const std::string self = joined_as(std::getenv("PMIX_NAMESPACE"), std::getenv("PMIX_RANK"));
  setenv(kJoinedVariable, self.c_str(), 1);  // before there are threads that look at the environment
  return std::make_unique<PmixBootstrap>();
#else
  throw UsageError(
      "a launcher that speaks PMIx has started this process, and this Kaon was built where PMIx's headers (Debian: "
      "libpmix-dev) were missing: build it again with them, or start the processes with `kaonrun -n Q PROGRAM`");
#endif
}

}  // namespace

}  // namespace kaon::launch

std::unique_ptr<kaon::runtime::Bootstrap> kaon::runtime::make_bootstrap() {
  using namespace launch;
  keep_standard_streams();
  static bool has_joined = false;
  if (has_joined)
    throw UsageError("a process joins its run once, and this one has done so: keep its session and run more in it");
  const Starter starter = find_starter([](const char* name) { return std::getenv(name); });
  let_user_signal_pass();
  if (starter.kind == Starter::Kind::nobody) return std::make_unique<AloneBootstrap>();
  if (starter.kind == Starter::Kind::pmix) return join_by_pmix();
  has_joined = true;
  return std::make_unique<SocketBootstrap>(adopt(starter.socket));
}

std::unique_ptr<kaon::runtime::Bootstrap> kaon::runtime::make_bootstrap(const Peers& peers) {
  keep_standard_streams();
  launch::let_user_signal_pass();
  return std::make_unique<launch::PeersBootstrap>(peers);
}
