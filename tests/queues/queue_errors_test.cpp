// SPDX-License-Identifier: Apache-2.0
// threads: kernels that post requests, and resident blocks that execute them
// Requests with errors, atomics, and the fields that a post stores.
#include <cstring>
#include <string>
#include <vector>

#include "kaon/gpu/backends/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/queues/queue_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace queue_errors {

Task<> refuse_one(WorkRequest (*change)(OwnPair&), RequestStatus status, std::string text) {
  OwnPair made;
  const WorkRequest bad = change(made);
  const std::vector<WorkRequest> requests{made.write(8), bad, made.write(8)};
  const Statuses seen = co_await made.outcome(requests);
  CHECK(seen == Statuses{RequestStatus::ok, status, RequestStatus::flushed});
  CAPTURE(made.pair.error());
  CHECK(has(made.pair.error(), "queue pair 0 of device 0 (emulated adapter ("));
  CHECK(has(made.pair.error(), text));
  co_await made.pair.close();
}

Task<> refuse(Runtime&) {
  co_await refuse_one([](OwnPair& made) { return made.write(129); }, RequestStatus::out_of_range,
                      "request 1 (cookie 0), write of 129 bytes from segment 1 (\"out\") at offset 0 to segment 2 "
                      "(\"PE 0's segment 0 (\"in\")\") at offset 0: it is beyond the end of a segment");
  const auto with_key = [](OwnPair& made) {
    WorkRequest request = made.write(8);
    request.remote = 77;
    request.cookie = 5;
    return request;
  };
  co_await refuse_one(
      with_key, RequestStatus::bad_key,
      "request 1 (cookie 5), write of 8 bytes from segment 1 (\"out\") at offset 0 to segment 77, which "
      "is none: a segment is not in the adapter's table");
  co_await refuse_one([](OwnPair& made) { return made.add(1, 0, 4); }, RequestStatus::unaligned,
                      "an atomic takes words");
  const auto with_opcode = [](OwnPair& made) {
    WorkRequest request = made.write(8);
    request.opcode = static_cast<Opcode>(200);
    return request;
  };
  co_await refuse_one(with_opcode, RequestStatus::bad_opcode, "unknown operation");
  const auto onto_itself = [](OwnPair& made) {
    WorkRequest request = made.write(8, 0, 4);
    request.local = made.in;
    return request;
  };
  co_await refuse_one(onto_itself, RequestStatus::overlap, "overlap");
}

Task<> add_up(Runtime&) {
  OwnPair made;
  const std::vector<WorkRequest> requests{made.add(5, 0, 8), made.add(~std::uint64_t{0}, 8, 8), made.add(7, 16, 8),
                                          made.add(9, 24, 20, 4)};
  const Statuses seen = co_await made.outcome(requests);
  CHECK(seen == Statuses(4, RequestStatus::ok));
  const std::vector<std::uint64_t> after = co_await made.words();
  CHECK(after[1] == 11);  // 0 + 5 - 1 + 7
  CHECK(after[2] == std::uint64_t{9} << 32);
  std::vector<WorkRequest> back{made.write(32)};  // the values before
  const Statuses copied = co_await made.outcome(back);
  CHECK(copied == Statuses{RequestStatus::ok});
  const std::vector<std::uint64_t> before = co_await made.words();
  CHECK(before[0] == 0);
  CHECK(before[1] == 5);
  CHECK(before[2] == 4);
  CHECK(static_cast<std::uint32_t>(before[3]) == 0);
  co_await made.pair.close();
}

Task<> fail_run(Runtime&) {
  OwnPair made({.depth = 8});
  const std::vector<WorkRequest> requests{made.write(129)};
  const Statuses seen = co_await made.outcome(requests);
  CHECK(seen == Statuses{RequestStatus::out_of_range});
  const gpu::Flag never(made.stream);
  co_await never.reached(1);
}

/// How many of the eight words of 8 bytes of a slot a post has changed.
Task<int> words_stored(gpu::StoredFields stored) {
  OwnPair made({.depth = 8, .ring_every = gpu::SendQueue::kAtFull});
  const WorkRequest before = made.write(0);
  made.pair.prefill(before, made.stream);
  WorkRequest request = made.write(8, 8, 16);
  request.control = WorkRequest::kIsSignalled;
  request.operand = 5;
  request.cookie = 7;
  request.unused[0] = request.unused[1] = 9;
  made.post({request}, false, stored);
  gpu::Pinned<WorkRequest> slots(8, made.stream);
  made.stream.copy(slots, gpu::Span<const WorkRequest>(made.pair.queue().requests, 8));
  co_await made.stream.drained();
  std::uint64_t one[8], other[8];
  std::memcpy(one, &before, sizeof one);
  std::memcpy(other, &slots[0], sizeof other);
  CHECK(std::memcmp(&before, &slots[1], sizeof before) == 0);
  int changed = 0;
  for (int i = 0; i < 8; ++i) changed += one[i] != other[i] ? 1 : 0;
  co_await made.pair.close();
  co_return changed;
}

Task<> store_fields(Runtime&) {
  const int all = co_await words_stored(gpu::StoredFields::all);
  const int offsets = co_await words_stored(gpu::StoredFields::offsets);
  const int with_operand = co_await words_stored(gpu::StoredFields::offsets_and_operand);
  CHECK(all == 8);
  CHECK(offsets == 2);
  CHECK(with_operand == 3);
}

}  // namespace queue_errors

TEST_CASE("a request with an error tells the kernel and the host, and those behind it are flushed",
          "[queues][bad input]") {
  run_with_both(queue_errors::refuse);
}

TEST_CASE("atomics add to words of the partner and return the values before", "[queues]") {
  run_with_both(queue_errors::add_up);
}

TEST_CASE("a prefilled request stores 16 bytes, or 24 with its operand, instead of 64", "[queues]") {
  run_with_both(queue_errors::store_fields);
}

TEST_CASE("a request with an error ends the run, with the names of its segments", "[queues][bad input]") {
  const std::string text = thrown<gpu::GpuError>([] { run_with_both(queue_errors::fail_run); });
  CAPTURE(text);
  CHECK(has(text, "write of 129 bytes from segment 1 (\"out\")"));
}

TEST_CASE("adapters and queue pairs that cannot be are refused", "[queues][bad input]") {
  pair_kind = gpu::AdapterKind::blocks;
  DeviceSceneSettings settings;
  settings.shape = {1, 1};
  DeviceScene scene(settings);
  scene.network().on(0, [](Pe&) {
    OwnPair made;
    const auto refusal = [&](const gpu::QueuePairOptions& options) {
      return thrown<UsageError>([&] { const gpu::QueuePair pair(made.adapter, made.stream, options); });
    };
    CHECK(has(refusal({.depth = 24}), "a depth of 24 requests; it is a power of two"));
    CHECK(has(refusal({.depth = 0}), "a depth of 0 requests"));
    CHECK(has(refusal({.depth = 1u << 17}), "65536 at most"));
    CHECK(has(thrown<UsageError>([&] { (void)made.pair.remote(1); }), "segment 1 of a partner that has offered 1"));
    CHECK(has(thrown<UsageError>([&] { made.pair.connect(made.pair.offer({})); }), "is connected already"));
    gpu::QueuePair apart(made.adapter, made.stream);
    CHECK(has(thrown<UsageError>([&] { (void)apart.queue(); }), "connect() it to the offer"));
    const gpu::QueuePair third(made.adapter, made.stream), fourth(made.adapter, made.stream);
    CHECK(has(refusal({}), "the adapter has 4 queue pairs already"));
    for (int i = 3; i < 8; ++i) (void)made.adapter->add("more", made.memory);
    CHECK(has(thrown<UsageError>([&] { (void)made.adapter->add("more", made.memory); }), "it has 8 segments already"));
    const auto start = [](const gpu::AdapterSizes& sizes) { (void)gpu::Adapter::start({.sizes = sizes}); };
    CHECK(has(thrown<UsageError>([&] { start({.queues = 0}); }), "each of its sizes is at least 1"));
    CHECK(has(thrown<gpu::GpuError>([&] { start({.blocks = 33}); }), "would fill device 0"));
    made.adapter->stop();
    CHECK(has(refusal({}), "its adapter was stopped"));
  });
}

}  // namespace kaon::testing
