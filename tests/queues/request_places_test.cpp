// SPDX-License-Identifier: Apache-2.0
// How the segments of an adapter answer requests.
#include "kaon/gpu/queues/request_places.hpp"

#include <cstddef>
#include <cstdint>

#include "tests/support/catch.hpp"

namespace kaon::testing {
namespace {

using gpu::Opcode;
using gpu::RequestStatus;
using gpu::WorkRequest;

/// Two segments of 64 bytes that lie beside each other, and one that was removed.
struct Memory {
  alignas(16) std::byte bytes[128]{};
  gpu::AdapterSegment segments[3]{{bytes, 64, 1}, {bytes + 64, 64, 1}, {bytes, 64, 0}};
  RequestStatus status(const WorkRequest& request) const { return places(request).status; }
  gpu::RequestPlaces places(const WorkRequest& request) const {
    return gpu::AdapterSegments{segments, 3}.resolve(request);
  }
  static WorkRequest write(std::uint32_t bytes, std::uint64_t from = 0, std::uint64_t to = 0) {
    WorkRequest request;
    request.opcode = Opcode::write;
    request.local = 0;
    request.remote = 1;
    request.bytes = bytes;
    request.local_offset = from;
    request.remote_offset = to;
    return request;
  }
};

}  // namespace

TEST_CASE("requests are resolved to addresses, by their operation", "[queues]") {
  const Memory memory;
  WorkRequest request = Memory::write(10, 3, 5);
  CHECK(memory.places(request).to == memory.bytes + 69);
  CHECK(memory.places(request).from == memory.bytes + 3);
  request.opcode = Opcode::read;
  CHECK(memory.places(request).to == memory.bytes + 3);
  CHECK(memory.places(request).from == memory.bytes + 69);
  CHECK(memory.places(request).bytes == 10);
  request.flags = 1;
  request.flag = 15;
  CHECK(memory.places(request).flag == reinterpret_cast<const std::uint32_t*>(memory.bytes + 124));
  CHECK(memory.status(Memory::write(0, 64, 64)) == RequestStatus::ok);
  CHECK(memory.status(WorkRequest{}) == RequestStatus::ok);
}

TEST_CASE("a request that cannot be right is refused with the reason", "[queues][bad input]") {
  const Memory memory;
  CHECK(memory.status(Memory::write(65)) == RequestStatus::out_of_range);
  CHECK(memory.status(Memory::write(1, 64)) == RequestStatus::out_of_range);
  CHECK(memory.status(Memory::write(2, ~std::uint64_t{0})) == RequestStatus::out_of_range);
  WorkRequest request = Memory::write(8);
  request.remote = 3;
  CHECK(memory.status(request) == RequestStatus::bad_key);
  request.remote = gpu::kNoSegment;
  CHECK(memory.status(request) == RequestStatus::bad_key);
  request.remote = 2;
  CHECK(memory.status(request) == RequestStatus::removed_segment);
  request.remote = 0;
  CHECK(memory.status(request) == RequestStatus::overlap);
  request = Memory::write(8);
  request.flags = 1;
  request.flag = 16;
  CHECK(memory.status(request) == RequestStatus::out_of_range);
  request = Memory::write(8);
  request.opcode = static_cast<Opcode>(9);
  CHECK(memory.status(request) == RequestStatus::bad_opcode);
}

TEST_CASE("an atomic takes an aligned word of 4 or 8 bytes", "[queues][bad input]") {
  const Memory memory;
  const auto status = [&](std::uint32_t bytes, std::uint64_t from, std::uint64_t to) {
    WorkRequest request = Memory::write(bytes, from, to);
    request.opcode = Opcode::fetch_add;
    return memory.status(request);
  };
  CHECK(status(8, 0, 8) == RequestStatus::ok);
  CHECK(status(4, 4, 60) == RequestStatus::ok);
  CHECK(status(8, 0, 4) == RequestStatus::unaligned);
  CHECK(status(8, 4, 0) == RequestStatus::unaligned);
  CHECK(status(2, 0, 0) == RequestStatus::unaligned);
  CHECK(status(0, 0, 0) == RequestStatus::unaligned);
  CHECK(status(16, 0, 0) == RequestStatus::unaligned);
}

}  // namespace kaon::testing
