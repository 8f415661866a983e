// SPDX-License-Identifier: Apache-2.0
#include "bench/ucx_floor/ucx_connection.hpp"

namespace kaon::bench {

UcxConnection::UcxConnection(int socket, bool is_first, const LinkSettings& settings)
    : socket_(socket), is_first_(is_first), context_(make_context(settings)), worker_(make_worker(context_.get())) {
  send_address(socket, worker_.get());
  endpoint_ = make_endpoint(worker_.get(), receive_address(socket));
}

void UcxConnection::barrier() {
  char byte = 0;
  write_all(socket_, &byte, 1);
  read_all(socket_, &byte, 1);
}

double UcxConnection::from_first(double value) {
  if (is_first_)
    write_all(socket_, &value, sizeof value);
  else
    read_all(socket_, &value, sizeof value);
  return value;
}

}  // namespace kaon::bench
