// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/device_arrival.hpp"

#include <algorithm>
#include <utility>

#include "kaon/ampi_shim/messages/receive_request.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/runtime/exchange/exchange.hpp"

namespace kaon::ampi {

void DeviceArrival::start(ReceiveRequest& receive, const Envelope& envelope, Payload<std::byte>&& data) {
  if (data.empty()) return receive.has_landed(envelope);
  Pe& pe = receive.rank().scheduler();
  make<DeviceArrival>(pe.activities(), pe.pool(), receive, envelope, std::move(data)).go_on();
}

DeviceArrival::DeviceArrival(ReceiveRequest& receive, const Envelope& envelope, Payload<std::byte>&& data)
    : receive_(receive), envelope_(envelope), program_(ProgramDevice::of(receive.rank())), data_(std::move(data)) {
  run = [](Work& self, Pe&) { static_cast<DeviceArrival&>(self).go_on(); };
}

void DeviceArrival::give_up() noexcept {
  if (fetch_) fetch_->give_up();
  if (wait_) wait_->give_up();
  Activity::end();
}

// From where it stands, as far as it gets without a wait.
void DeviceArrival::go_on() {
  if (!fetch_ && !data_.is_here() && !fetch()) return;
  if (!wait_ && !(has_landed_ ? settle() : copy())) return;
  finish();
}

bool DeviceArrival::fetch() {
  const Landing where = landing();
  has_landed_ = !where.is_pooled();
  return fetch_.emplace(*this, data_.record(), where).await();
}

// It may be there in the order of a stream only.
bool DeviceArrival::settle() {
  return wait_.emplace(*this, program_.device(), gpu::position_of(*data_.record())).await();
}

Landing DeviceArrival::landing() {
  if (!data_.is_on_device()) return Landing::pooled();
  std::byte* const memory = receive_.landing_for(data_.size());
  if (memory == nullptr || program_.memory().find(memory).region == nullptr) return Landing::pooled();
  return Landing::into(gpu::Span<std::byte>(memory, data_.size()), program_.idle_stream());
}

bool DeviceArrival::copy() {
  const ProgramData to = receive_.elements();
  const std::size_t bytes = std::min(data_.size(), receive_.room());
  if (bytes == 0) return true;
  gpu::Stream& stream = program_.copy_stream();
  copy_.emplace(program_, stream, to, source(stream, to.is_run()), bytes);
  return wait_.emplace(*this, program_.device(), copy_->end()).await();
}

// Where the data are for work that is given to the stream from now on. A view would hold the sender's memory until all
// is done that the stream is given meanwhile; here its use ends with the copy, which is waited for.
ProgramData DeviceArrival::source(gpu::Stream& stream, bool is_for_copy) {
  const auto count = static_cast<MPI_Count>(data_.size());
  if (!data_.is_on_device()) return {data_.view().data(), count, nullptr, false};
  PayloadRecord& record = *data_.record();
  gpu::Device& device = program_.device();
  const gpu::Region* const region = gpu::region_of(device, record);
  const int home = region != nullptr ? region->device : device.number();
  // A copy reaches other devices of the process, where a kernel may not.
  if (home != device.number() && !is_for_copy) return {data_.view(stream).data(), count, nullptr, true};
  if (!fetch_) device.pe().exchange().transfers().add(Route::device_copy, record.bytes);
  device.reach(home);
  stream.wait(gpu::position_of(record));
  return {record.data, count, nullptr, true};
}

void DeviceArrival::finish() {
  if (copy_) copy_->finish();
  ReceiveRequest& receive = receive_;
  const Envelope envelope = envelope_;
  Activity::end();
  receive.has_landed(envelope);
}

}  // namespace kaon::ampi
