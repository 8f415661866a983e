// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/exchange_request.hpp"

#include "kaon/ampi_shim/devices/device_copy.hpp"

namespace kaon::ampi {

ExchangeRequest::~ExchangeRequest() {
  delete send_;
  delete receive_;
}

void ExchangeRequest::keep_copy() {
  copy_.resize(data_.bytes());
  const auto bytes = static_cast<MPI_Count>(copy_.size());
  const ProgramData from{const_cast<void*>(data_.data), data_.count, data_.type};
  if (!copied_by_device(rank_, {copy_.data(), bytes}, from)) data_.pack(copy_.data());
  data_ = {copy_.data(), static_cast<MPI_Count>(copy_.size()), nullptr};
}

void ExchangeRequest::start() {
  begin();
  mutable_status() = null_process_status();
  missing_ = 1;  // this function itself
  if (from_) {
    ++missing_;
    receive_ = begin_receive(rank_, *from_, memory_, *this, &mutable_status());
    if (receive_ == nullptr) {
      --missing_;
    } else if (receive_->is_complete()) {
      note_received(*receive_);
      --missing_;
    }
  }
  if (to_) {
    ++missing_;
    send_ = begin_send(rank_, *to_, data_, *this);
    if (send_ == nullptr) --missing_;
  }
  part_has_ended();
}

void ExchangeRequest::completed(Request& request) {
  if (&request == receive_) note_received(request);
  part_has_ended();
}

void ExchangeRequest::note_received(const Request& request) {
  mutable_status() = request.status();
  error_ = request.error();
}

void ExchangeRequest::part_has_ended() {
  if (--missing_ == 0) complete(error_);
}

std::string ExchangeRequest::describe() const {
  if (receive_ != nullptr && receive_->is_active()) return receive_->describe();
  return send_ != nullptr ? send_->describe() : "for the two halves of an exchange";
}

}  // namespace kaon::ampi
