// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/guarded_calls.hpp"

#include <unistd.h>

#include <fstream>
#include <limits>
#include <vector>

#include "tests/machine_ucx/machines.hpp"
#include "tests/support/variable.hpp"

namespace kaon::testing::guarded_calls {

// Modes of the segments of System V that this process has made.
std::vector<unsigned> modes_of_segments() {
  std::ifstream table("/proc/sysvipc/shm");
  constexpr auto kLine = std::numeric_limits<std::streamsize>::max();
  table.ignore(kLine, '\n');
  std::vector<unsigned> modes;
  long key = 0, id = 0, bytes = 0, maker = 0;
  for (unsigned mode = 0; table >> key >> id >> std::oct >> mode >> std::dec >> bytes >> maker;
       table.ignore(kLine, '\n'))
    if (maker == getpid()) modes.push_back(mode);
  return modes;
}

TEST_CASE("shared memory of UCX's transport sysv is for the run's user alone", "[machine_ucx][strangers]") {
  const Variable transports("UCX_TLS", "sysv");
  Machines machines(HostCarrier::active);
  machines.send(0, 1, Lane::data, pattern(100));
  machines.until([&] { return machines.client(1).batches.size() == 1; });
  const auto modes = modes_of_segments();
  CHECK_FALSE(modes.empty());
  for (const unsigned mode : modes) CHECK((mode & 0077) == 0);
}

}  // namespace kaon::testing::guarded_calls
