// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "tests/ampi_shim/random_programs/messages.hpp"
#include "tests/ampi_shim/random_programs/reporting.hpp"

namespace {

constexpr std::size_t kBufferBytes = 1 << 20;
constexpr int kLongestPersistent = 20001;

std::vector<int> elements_of(const Message& message) {
  const int stride = message.is_spaced ? 2 : 1;
  std::vector<int> elements(static_cast<std::size_t>(message.count * stride), -5);
  for (int i = 0; i < message.count; ++i) elements[static_cast<std::size_t>(i * stride)] = message.value(i);
  return elements;
}

/// What was sent may be changed from now on.
void spoil(std::vector<int>& elements) { std::fill(elements.begin(), elements.end(), -7); }

}  // namespace

SpacedInteger::SpacedInteger() {
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &type_);
  MPI_Type_commit(&type_);
}

Sender::Sender(const Families& families, const Templates& templates, int rank, Requests& requests)
    : families_(families), requests_(requests), buffer_(kBufferBytes) {
  MPI_Buffer_attach(buffer_.data(), static_cast<int>(buffer_.size()));
  for (const Message& message : templates)
    if (message.from == rank) persistent_.push_back({message, std::vector<int>(kLongestPersistent), MPI_REQUEST_NULL});
  for (Persistent& each : persistent_) {
    const Family& family = families_[static_cast<std::size_t>(each.message.family)];
    const auto init = each.message.count % 2 == 0 ? MPI_Ssend_init : MPI_Send_init;
    init(each.memory.data(), each.message.count, MPI_INT, family.place_of(each.message.to), each.message.tag,
         family.comm, &each.request);
    requests_.add_idle(each.request);
  }
}

Sender::~Sender() {
  void* buffer = nullptr;
  int bytes = 0;
  MPI_Buffer_detach(&buffer, &bytes);
  check(buffer == buffer_.data() && bytes == static_cast<int>(kBufferBytes), "another buffer was detached");
  for (Persistent& each : persistent_) MPI_Request_free(&each.request);
}

/// False when all that have this form are under way.
bool Sender::start_persistent(const Message& message) {
  const auto found = std::find_if(persistent_.begin(), persistent_.end(), [&](const Persistent& each) {
    return each.message.family == message.family && each.message.to == message.to && each.message.tag == message.tag &&
           each.message.count == message.count && requests_.is_idle(each.request);
  });
  if (found == persistent_.end()) return false;
  for (int i = 0; i < message.count; ++i) found->memory[static_cast<std::size_t>(i)] = message.value(i);
  requests_.start(found->request, false, [found](const MPI_Status&) { spoil(found->memory); });
  return true;
}

void Sender::send_blocking(const Message& message, int to, MPI_Comm comm) {
  std::vector<int> elements = elements_of(message);
  auto* const send = message.mode == Mode::kSynchronous ? MPI_Ssend
                     : message.mode == Mode::kBuffered  ? MPI_Bsend
                     : message.mode == Mode::kReady     ? MPI_Rsend
                                                        : MPI_Send;
  send(elements.data(), message.count, types_.of(message.is_spaced), to, message.tag, comm);
  spoil(elements);
}

void Sender::send_nonblocking(const Message& message, int to, MPI_Comm comm) {
  const auto elements = std::make_shared<std::vector<int>>(elements_of(message));
  auto* const send = message.mode == Mode::kSynchronous ? MPI_Issend
                     : message.mode == Mode::kBuffered  ? MPI_Ibsend
                     : message.mode == Mode::kReady     ? MPI_Irsend
                                                        : MPI_Isend;
  MPI_Request request = MPI_REQUEST_NULL;
  send(elements->data(), message.count, types_.of(message.is_spaced), to, message.tag, comm, &request);
  requests_.add(request, false, [elements](const MPI_Status&) { spoil(*elements); });
}

void Sender::send(const Message& message) {
  if (message.mode == Mode::kPersistent && start_persistent(message)) return;
  const Family& family = families_[static_cast<std::size_t>(message.family)];
  if (message.is_blocking)
    send_blocking(message, family.place_of(message.to), family.comm);
  else
    send_nonblocking(message, family.place_of(message.to), family.comm);
}
