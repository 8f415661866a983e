// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/device_payload.hpp"

#include <utility>

#include "kaon/ampi_shim/devices/device_copy.hpp"
#include "kaon/ampi_shim/messages/send_request.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"

namespace kaon::ampi {
namespace {

void tell_free(void* send) { static_cast<SendRequest*>(send)->memory_is_free(); }

/// Memory of the program on a device, which is sent from where it lies. It goes back from the PE on which its payload
/// ends, when that PE's streams are done with it.
class LentMemory final : public PayloadOwner {
 public:
  void release(PayloadRecord& record) noexcept override {
    gpu::DevicePayloads& here = gpu::these_payloads();
    try {
      call_when_reached(here.device(), here.last_use(record), &tell_free, record.keeper);
    } catch (...) {  // a fault of the device: nothing will be reached any more
      here.device().pe().fail(std::current_exception());
    }
  }
};
LentMemory lent_memory;

/// As gpu::Stream::record_of() takes it.
struct Loan {
  using value_type = std::byte;
  std::byte* data;
  std::size_t bytes;
  gpu::Region* region;
  SendRequest* send;

  std::size_t size_bytes() const { return bytes; }
  Loan& memory() { return *this; }
  void give_to(PayloadRecord& record) const {
    record.data = data;
    record.owner = &lent_memory;
    record.keeper = send;
    record.region = region;
  }
};

Payload<std::byte> packed_copy(ProgramDevice& program, SendRequest& send, const ProgramData& from, std::size_t bytes) {
  gpu::Stream& stream = program.copy_stream();
  gpu::Buffer<std::byte> packed(bytes, stream);
  pack_on_device(program, stream, packed.data(), from, bytes);
  const gpu::Position end = stream.here();
  Payload<std::byte> payload(std::move(packed), stream);
  call_when_reached(program.device(), end, &tell_free, &send);
  return payload;
}

}  // namespace

Payload<std::byte> device_payload(SendRequest& send, bool must_be_copied) {
  ProgramDevice& program = ProgramDevice::of(send.rank());
  const Outgoing& data = send.data();
  const ProgramData from{const_cast<void*>(data.data), data.count, data.type, true};
  const std::size_t bytes = data.bytes();
  gpu::Region* const region = from.is_run() ? program.memory().find(from.run()).region : nullptr;
  if (must_be_copied || region == nullptr) return packed_copy(program, send, from, bytes);
  return Payload<std::byte>(Loan{from.run(), bytes, region, &send}, program.idle_stream());
}

}  // namespace kaon::ampi
