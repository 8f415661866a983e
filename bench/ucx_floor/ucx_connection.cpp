// SPDX-License-Identifier: Apache-2.0
#include "bench/ucx_floor/ucx_connection.hpp"

#include <unistd.h>

#include <stdexcept>

namespace kaon::bench {
namespace {

void write_all(int fd, const void* data, std::size_t bytes) {
  if (write(fd, data, bytes) != static_cast<ssize_t>(bytes)) throw std::runtime_error("the other process is gone");
}

void read_all(int fd, void* data, std::size_t bytes) {
  for (auto* to = static_cast<std::byte*>(data); bytes > 0;) {
    const ssize_t got = read(fd, to, bytes);
    if (got <= 0) throw std::runtime_error("the other process is gone");
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

}  // namespace

void check(ucs_status_t status, const char* what) {
  if (status != UCS_OK) throw std::runtime_error(std::string(what) + ": " + ucs_status_string(status));
}

void check_request(void* request, const char* what) {
  if (UCS_PTR_IS_ERR(request)) check(UCS_PTR_STATUS(request), what);
}

UcxConnection::UcxConnection(int socket, bool is_first, const LinkSettings& settings)
    : socket_(socket), is_first_(is_first) {
  start(settings);
  open_worker();
  connect();
}

UcxConnection::~UcxConnection() {
  if (worker_ != nullptr) ucp_worker_destroy(worker_);
  if (context_ != nullptr) ucp_cleanup(context_);
}

void UcxConnection::start(const LinkSettings& settings) {
  ucp_config_t* config = nullptr;
  check(ucp_config_read(nullptr, nullptr, &config), "ucp_config_read");
  ucs_status_t status = ucp_config_modify(config, "RNDV_THRESH", settings.rendezvous_bytes.c_str());
  ucp_params_t params{};
  params.field_mask = UCP_PARAM_FIELD_FEATURES;
  params.features = UCP_FEATURE_TAG | UCP_FEATURE_AM;
  if (settings.can_wake) params.features |= UCP_FEATURE_WAKEUP;
  if (status == UCS_OK) status = ucp_init(&params, config, &context_);
  ucp_config_release(config);
  check(status, "ucp_init");
}

void UcxConnection::open_worker() {
  ucp_worker_params_t worker{};
  worker.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  worker.thread_mode = UCS_THREAD_MODE_SINGLE;
  check(ucp_worker_create(context_, &worker, &worker_), "ucp_worker_create");
}

void UcxConnection::connect() {
  const std::vector<std::byte> address = exchange_address();
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
  params.address = reinterpret_cast<const ucp_address_t*>(address.data());
  check(ucp_ep_create(worker_, &params, &endpoint_), "ucp_ep_create");
}

std::vector<std::byte> UcxConnection::exchange_address() {
  ucp_address_t* own = nullptr;
  std::size_t bytes = 0;
  check(ucp_worker_get_address(worker_, &own, &bytes), "ucp_worker_get_address");
  write_all(socket_, &bytes, sizeof bytes);
  write_all(socket_, own, bytes);
  ucp_worker_release_address(worker_, own);
  read_all(socket_, &bytes, sizeof bytes);
  std::vector<std::byte> address(bytes);
  read_all(socket_, address.data(), bytes);
  return address;
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
