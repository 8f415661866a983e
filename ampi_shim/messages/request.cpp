// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/request.hpp"

#include <utility>

#include "kaon/ampi_shim/datatypes/handled.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::ampi {

void* Request::operator new(std::size_t bytes) { return this_scheduler().pool().allocate(bytes); }

void Request::operator delete(void* memory, std::size_t bytes) noexcept {
  this_scheduler().pool().release(memory, bytes);
}

Request* Request::alive_at(const void* handle) {
  const auto word = reinterpret_cast<std::uintptr_t>(handle);
  if (word % alignof(Request) != 0) return nullptr;
  auto* const request = HandleWord::object<Request>(word);
  return HandleWord::is_readable(&request->handle_) && request->handle_ == (word ^ kMagic) ? request : nullptr;
}

std::uintptr_t Request::give_handle() {
  static constinit thread_local std::uint64_t given = 0;  // memory of requests is the PE's
  const std::uintptr_t word = HandleWord::make(this, given++);
  handle_ = word ^ kMagic;
  return word;
}

void Request::complete(int error) {
  status_.MPI_ERROR = error;
  state_ = State::complete;
  RequestObserver* const observer = std::exchange(observer_, nullptr);
  if (is_freed_)
    delete this;
  else if (observer != nullptr)
    observer->completed(*this);
}

void Request::was_told() {
  if (is_persistent_)
    state_ = State::inactive;
  else
    delete this;
}

void Request::free() {
  if (state_ != State::active) {
    delete this;
    return;
  }
  is_freed_ = true;
  if (!is_completed_by_handle()) handle_ = 0;
}

CompleteRequest::CompleteRequest(const MPI_Status& status, bool is_persistent)
    : Request(is_persistent), result_(status) {
  if (!is_persistent) start();
}

void CompleteRequest::start() {
  begin();
  mutable_status() = result_;
  complete(MPI_SUCCESS);
}

GeneralizedRequest::GeneralizedRequest(MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
                                       MPI_Grequest_cancel_function* cancel, void* extra_state)
    : Request(false), query_(query), free_(free), cancel_(cancel), extra_state_(extra_state) {
  begin();
}

GeneralizedRequest::~GeneralizedRequest() {
  if (free_ != nullptr) free_(extra_state_);
}

void GeneralizedRequest::cancel() {
  if (cancel_ != nullptr) cancel_(extra_state_, is_complete() ? 1 : 0);
}

int GeneralizedRequest::about_to_tell() {
  return query_ != nullptr ? query_(extra_state_, &mutable_status()) : MPI_SUCCESS;
}

}  // namespace kaon::ampi
