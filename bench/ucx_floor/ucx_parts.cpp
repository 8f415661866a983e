// SPDX-License-Identifier: Apache-2.0
#include "bench/ucx_floor/ucx_parts.hpp"

#include <unistd.h>

#include <stdexcept>

namespace kaon::bench {

void check(ucs_status_t status, const char* what) {
  if (status != UCS_OK) throw std::runtime_error(std::string(what) + ": " + ucs_status_string(status));
}

void check_request(void* request, const char* what) {
  if (UCS_PTR_IS_ERR(request)) check(UCS_PTR_STATUS(request), what);
}

void write_all(int socket, const void* data, std::size_t bytes) {
  if (write(socket, data, bytes) != static_cast<ssize_t>(bytes)) throw std::runtime_error("the other process is gone");
}

void read_all(int socket, void* data, std::size_t bytes) {
  for (auto* to = static_cast<std::byte*>(data); bytes > 0;) {
    const ssize_t got = read(socket, to, bytes);
    if (got <= 0) throw std::runtime_error("the other process is gone");
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

UcxContext make_context(const LinkSettings& settings) {
  ucp_config_t* config = nullptr;
  check(ucp_config_read(nullptr, nullptr, &config), "ucp_config_read");
  ucs_status_t status = ucp_config_modify(config, "RNDV_THRESH", settings.rendezvous_bytes.c_str());
  ucp_params_t params{};
  params.field_mask = UCP_PARAM_FIELD_FEATURES;
  params.features = settings.features;
  if (settings.can_wake) params.features |= UCP_FEATURE_WAKEUP;
  ucp_context_h context = nullptr;
  if (status == UCS_OK) status = ucp_init(&params, config, &context);
  ucp_config_release(config);
  check(status, "ucp_init");
  return UcxContext(context);
}

UcxWorker make_worker(ucp_context_h context) {
  ucp_worker_params_t params{};
  params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  params.thread_mode = UCS_THREAD_MODE_SINGLE;
  ucp_worker_h worker = nullptr;
  check(ucp_worker_create(context, &params, &worker), "ucp_worker_create");
  return UcxWorker(worker);
}

ucp_ep_h make_endpoint(ucp_worker_h worker, const std::vector<std::byte>& address) {
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
  params.address = reinterpret_cast<const ucp_address_t*>(address.data());
  ucp_ep_h endpoint = nullptr;
  check(ucp_ep_create(worker, &params, &endpoint), "ucp_ep_create");
  return endpoint;
}

void send_address(int socket, ucp_worker_h worker) {
  ucp_address_t* own = nullptr;
  std::size_t bytes = 0;
  check(ucp_worker_get_address(worker, &own, &bytes), "ucp_worker_get_address");
  write_all(socket, &bytes, sizeof bytes);
  write_all(socket, own, bytes);
  ucp_worker_release_address(worker, own);
}

std::vector<std::byte> receive_address(int socket) {
  std::size_t bytes = 0;
  read_all(socket, &bytes, sizeof bytes);
  std::vector<std::byte> address(bytes);
  read_all(socket, address.data(), bytes);
  return address;
}

}  // namespace kaon::bench
