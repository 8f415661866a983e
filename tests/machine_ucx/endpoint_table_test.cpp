// SPDX-License-Identifier: Apache-2.0
#include "kaon/machine_ucx/endpoint_table.hpp"

#include "kaon/machine_ucx/contact.hpp"
#include "kaon/machine_ucx/contact_book.hpp"
#include "kaon/machine_ucx/context.hpp"
#include "kaon/machine_ucx/worker.hpp"
#include "kaon/runtime/ports/process_contact.hpp"
#include "tests/machine_ucx/machines.hpp"

using namespace kaon::testing;

TEST_CASE("a peer is connected to once", "[machine_ucx][endpoint_table]") {
  const Context context;
  const Secret secret{};
  Worker own(context, secret, 0), peer(context, secret, 1);
  const Roster roster(2, 1);
  kaon::testing::Exchange exchange;
  exchange.blobs = {{}, encode_process_contact({encode_contact({DeviceVendor::none, {peer.address()}}), {}})};
  MemoryBootstrap bootstrap(exchange, 0);
  ContactBook contacts(bootstrap, roster, DeviceVendor::none);
  EndpointTable endpoints(context, own, contacts);
  const auto first = endpoints.at(1);
  CHECK(endpoints.at(1) == first);
  CHECK(exchange.asked == 1);
}
