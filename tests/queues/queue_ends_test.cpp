// SPDX-License-Identifier: Apache-2.0
// threads: kernels that post requests, and resident blocks that execute them
// Ends of queue pairs, of their partners, and of the memory that their requests use.
#include <optional>
#include <utility>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/queues/queue_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace queue_ends {

/// Requests that are posted and not rung for are done by the end of the queue pair.
Task<> close_with_requests(Runtime&) {
  OwnPair made({.depth = 8, .ring_every = gpu::SendQueue::kAtFull});
  made.stream.fill(made.other->span(), 1);
  made.post({made.write(128)}, false);
  co_await made.stream.drained();
  const gpu::QueueCounts counts = co_await made.pair.counts();
  CHECK(counts.posted == 1);
  CHECK(counts.rings == 0);
  co_await made.pair.close();
  const std::vector<std::uint64_t> after = co_await made.words();
  CHECK(after == std::vector<std::uint64_t>(16, 0x0101010101010101));
  CHECK(has(thrown<UsageError>([&] { (void)made.pair.queue(); }), "was closed, or moved"));
}

/// The adapter ends, as at the end of a run, while requests are posted and not rung for; the last one has an error,
/// which tells that they were not forgotten.
Task<> stop_with_requests(Runtime&) {
  OwnPair made({.depth = 8, .ring_every = gpu::SendQueue::kAtFull, .keeps_errors = true});
  made.post({made.write(8), made.write(16), made.write(129)}, false);
  co_await made.stream.drained();
  made.adapter->stop();
  while (!made.adapter->is_over()) {
    made.stream.fill(made.statuses.span(), 0);
    co_await made.stream.drained();
  }
  CHECK(has(made.pair.error(), "request 2 (cookie 0), write of 129 bytes"));
}

/// The task, and with it the run, ends without a look at its requests.
Task<> end_with_requests(Runtime&) {
  OwnPair made({.depth = 8, .ring_every = gpu::SendQueue::kAtFull});
  made.post({WorkRequest{}, WorkRequest{}}, false);  // of no memory, which ends with the task
  co_await made.stream.drained();
}

/// A queue pair that is open keeps the PE of an adapter of its own turns awake, and hides no deadlock.
Task<> stay_open(Runtime&) {
  OwnPair made;
  made.post({made.write(8)});
  co_await made.stream.drained();
  gpu::DeviceWatches& watches = gpu::this_device().watches();
  CHECK(watches.is_busy() == (pair_kind == gpu::AdapterKind::progress));
  CHECK_FALSE(watches.is_awaited());
  co_await made.pair.close();
}

Task<> use_removed(Runtime&) {
  OwnPair made;
  std::vector<WorkRequest> request{made.write(8)};
  Statuses seen = co_await made.outcome(request);
  CHECK(seen == Statuses{RequestStatus::ok});
  co_await made.adapter->remove(made.out);
  made.other.reset();
  seen = co_await made.outcome(request);
  CHECK(seen == Statuses{RequestStatus::removed_segment});
  CHECK(has(made.pair.error(), "a segment was removed from the adapter"));
  co_await made.pair.close();
}

Task<> use_freed(Runtime&) {
  OwnPair made;
  std::vector<WorkRequest> request{made.write(8)};
  made.other.reset();
  const gpu::Flag unused(made.stream);
  Statuses seen;
  do {
    seen = co_await made.outcome(request);
  } while (seen == Statuses{RequestStatus::ok});  // until the PE has looked at its buffers
  CHECK(seen == Statuses{RequestStatus::removed_segment});
  co_await made.pair.close();
}

/// Queue pairs come and go in memory that others had before, and take the same places of their adapter.
Task<> come_and_go(Runtime&) {
  OwnPair made;
  WorkRequest request = made.write(8);
  request.remote = made.in;
  const std::vector<WorkRequest> requests{request, request};
  for (int i = 0; i < 8; ++i) {
    gpu::QueuePair pair(made.adapter, made.stream, made.options);
    pair.connect(pair.offer({}));
    std::swap(made.pair, pair);
    const Statuses seen = co_await made.outcome(requests);
    CHECK(seen == Statuses(2, RequestStatus::ok));
    CHECK(made.pair.error().empty());
    co_await pair.close();
  }
  co_await made.pair.close();
}

/// The partner's end closes; requests that follow are errors.
Task<> lose_partner(Runtime&) {
  OwnPair made;
  gpu::QueuePair one(made.adapter, made.stream, made.options);
  std::optional<gpu::QueuePair> other(std::in_place, made.adapter, made.stream, made.options);
  one.connect(other->offer({made.in}));
  other->connect(one.offer({}));
  co_await other->close();
  PostAndWait kernel{};
  kernel.queue = one.queue();
  kernel.count = 1;
  kernel.requests[0] = made.write(8);
  kernel.requests[0].remote = one.remote(0);
  kernel.statuses = made.statuses.data();
  gpu::Pinned<std::uint32_t> seen(made.statuses.size(), made.stream);
  auto status = RequestStatus::ok;
  while (status == RequestStatus::ok) {  // until the PE has looked at the partner's word
    made.stream.launch({{1}, {1}}, kernel);
    made.stream.copy(seen, made.statuses.span());
    co_await made.stream.drained();
    status = static_cast<RequestStatus>(seen[0]);
  }
  CHECK(status == RequestStatus::partner_gone);
  CHECK(has(one.error(), "the partner has closed its queue pair"));
  co_await one.close();
}

}  // namespace queue_ends

TEST_CASE("a queue pair that is closed does what was posted, also without a doorbell", "[queues]") {
  run_with_both(queue_ends::close_with_requests);
}

TEST_CASE("an adapter that ends executes what was posted", "[queues]") {
  run_with_both(queue_ends::stop_with_requests);
}

TEST_CASE("a run ends while requests are posted", "[queues]") { run_with_both(queue_ends::end_with_requests); }

TEST_CASE("an open queue pair is no reason why a run is not stuck", "[queues]") {
  run_with_both(queue_ends::stay_open);
}

TEST_CASE("a segment that was removed is refused", "[queues][bad input]") { run_with_both(queue_ends::use_removed); }

TEST_CASE("a segment whose buffer was freed is refused", "[queues][bad input]") {
  run_with_both(queue_ends::use_freed);
}

TEST_CASE("queue pairs come and go, and take no request that was not posted", "[queues]") {
  run_with_both(queue_ends::come_and_go);
}

TEST_CASE("requests to a partner that has closed are refused", "[queues][bad input]") {
  run_with_both(queue_ends::lose_partner);
}

}  // namespace kaon::testing
