// SPDX-License-Identifier: Apache-2.0
#include "bench/ucx_floor/ucx_peers.hpp"

#include <poll.h>

#include <cstdint>

#include "bench/programs/resident.hpp"

namespace kaon::bench {
namespace {

void serve(int socket, int peers, const LinkSettings& settings) {
  const UcxContext context = make_context(settings);
  std::vector<UcxWorker> workers;
  for (int i = 0; i < peers; ++i) workers.push_back(make_worker(context.get()));
  std::vector<std::uint64_t> words(static_cast<std::size_t>(peers));
  std::vector<void*> receives;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    ucp_request_param_t plainly{};
    ucp_worker_h const worker = workers[i].get();
    receives.push_back(ucp_tag_recv_nbx(worker, &words[i], sizeof words[i], 0, 0, &plainly));
    check_request(receives.back(), "a receive");
    send_address(socket, worker);
  }
  for (pollfd end{socket, POLLIN, 0}; poll(&end, 1, 0) == 0;)
    for (const UcxWorker& worker : workers) ucp_worker_progress(worker.get());
  for (void* const request : receives)
    if (request != nullptr) ucp_request_free(request);
}

void send_one(ucp_worker_h worker, ucp_ep_h endpoint) {
  static const std::uint64_t word = 1;  // UCX reads it until the flush
  ucp_request_param_t plainly{};
  void* const sent = ucp_tag_send_nbx(endpoint, &word, sizeof word, 1, &plainly);
  void* const flushed = ucp_ep_flush_nbx(endpoint, &plainly);
  for (void* const request : {sent, flushed}) {
    check_request(request, "a message to a peer");
    if (request == nullptr) continue;
    while (ucp_request_check_status(request) == UCS_INPROGRESS) ucp_worker_progress(worker);
    ucp_request_free(request);
  }
}

// A first part of the peers pays for what is needed once.
double measure(int socket, int peers, const LinkSettings& settings) {
  const UcxContext context = make_context(settings);
  const UcxWorker worker = make_worker(context.get());
  std::vector<std::vector<std::byte>> addresses;
  for (int i = 0; i < peers; ++i) addresses.push_back(receive_address(socket));
  std::int64_t before = 0;
  const int warm = peers / 4;
  for (int i = 0; i < peers; ++i) {
    if (i == warm) before = status_bytes("RssAnon");
    send_one(worker.get(), make_endpoint(worker.get(), addresses[static_cast<std::size_t>(i)]));
  }
  const std::int64_t after = status_bytes("RssAnon");
  const char end = 0;
  write_all(socket, &end, sizeof end);
  return static_cast<double>(after - before) / (peers - warm);
}

}  // namespace

double bytes_of_a_ucx_peer(int socket, bool is_first, int peers, const LinkSettings& settings) {
  if (is_first) return measure(socket, peers, settings);
  serve(socket, peers, settings);
  return 0;
}

}  // namespace kaon::bench
