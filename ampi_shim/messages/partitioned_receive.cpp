// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/partitioned_receive.hpp"

#include <algorithm>

#include "kaon/ampi_shim/devices/device_copy.hpp"
#include "kaon/ampi_shim/messages/probes.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/ampi_shim/ranks/switched_in.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::ampi {

/// The wait of a partitioned receive for its offer. It goes on when the program has freed the receive: the offer that
/// comes is that one's, and of no receive that was made later.
class OfferWait final : public Activity, private RequestObserver {
 public:
  OfferWait(Rank& rank, const MatchKey& from) : rank_(rank), from_(from) {}

  /// True: the offer is here.
  bool await() {
    request_ = begin_receive(rank_, from_, {&offer_, sizeof offer_, nullptr}, *this);
    return request_ == nullptr;
  }
  const PartitionOffer& offer() const { return offer_; }
  /// nullptr: it has been freed.
  void set_receive(PartitionedReceive* receive) { receive_ = receive; }

 private:
  ~OfferWait() override = default;
  void completed(Request& request) override {
    delete &request;
    const PartitionOffer offer = offer_;
    PartitionedReceive* const receive = receive_;
    Activity::end();
    if (receive != nullptr) receive->matched(offer);
  }

  Rank& rank_;
  MatchKey from_;
  PartitionOffer offer_;
  PartitionedReceive* receive_ = nullptr;
  Request* request_ = nullptr;
};

PartitionedReceive::PartitionedReceive(Rank& rank, const std::optional<MatchKey>& from, const Incoming& first,
                                       int partitions)
    : PartitionedRequest(partitions), rank_(rank), from_(from), all_(first) {
  if (first.type != nullptr) type_ = TypeRef(*first.type);
  all_.count *= partitions;
  if (!from_) return;
  auto& wait = Activity::make<OfferWait>(rank.scheduler().activities(), rank.scheduler().pool(), rank, *from_);
  if (wait.await()) {
    offer_ = wait.offer();
    wait.end();
  } else {
    wait_ = &wait;
    wait.set_receive(this);
  }
}

PartitionedReceive::~PartitionedReceive() {
  if (wait_ != nullptr) wait_->set_receive(nullptr);
}

void PartitionedReceive::matched(const PartitionOffer& offer) {
  wait_ = nullptr;
  offer_ = offer;
  if (is_active()) receive_all();
}

void PartitionedReceive::start() {
  begin_round();
  if (!from_) {
    mutable_status() = null_process_status();
    return complete(MPI_SUCCESS);
  }
  if (wait_ == nullptr) receive_all();
}

// Where the sizes differ, what comes is dropped, so that the sender ends as well.
void PartitionedReceive::receive_all() {
  error_ = MPI_SUCCESS;
  if (!is_of_same_size())
    error_ =
        static_cast<std::uint64_t>(offer_.partitions) * offer_.bytes > all_.bytes() ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT;
  has_arrived_.assign(static_cast<std::size_t>(offer_.partitions), false);
  missing_ = offer_.partitions + 1;  // and this function itself
  for (std::int64_t i = 0; i < offer_.partitions; ++i) receive(i);
  part_has_ended();
}

void PartitionedReceive::receive(std::int64_t number) {
  const MatchKey key{offer_.context, from_->source, static_cast<std::int32_t>(number)};
  Request* const request = begin_receive(rank_, key, memory_of(number), *this);
  if (request == nullptr) return arrived(number, MPI_SUCCESS);
  if (!request->is_complete()) return;
  const int error = request->error();
  delete request;
  arrived(number, error);
}

Incoming PartitionedReceive::memory_of(std::int64_t number) {
  if (offer_.bytes == 0 || !is_of_same_size()) return {};
  const auto bytes = static_cast<std::int64_t>(offer_.bytes);
  if (std::byte* const run = all_.contiguous()) return {run + number * bytes, bytes, nullptr};
  const std::int64_t size = all_.type->size();
  if (bytes % size == 0) return {elements_behind(all_.data, number * bytes / size, all_.type), bytes / size, all_.type};
  staged_.resize(all_.bytes());
  return {staged_.data() + number * bytes, bytes, nullptr};
}

void PartitionedReceive::completed(Request& request) {
  const std::int64_t number = request.status().MPI_TAG;
  const int error = request.error();
  delete &request;
  arrived(number, error);
}

void PartitionedReceive::arrived(std::int64_t number, int error) {
  has_arrived_[static_cast<std::size_t>(number)] = true;
  if (error_ == MPI_SUCCESS) error_ = error;
  if (is_staged() && is_of_same_size()) unpack(number);
  part_has_ended();
}

// Elements on a device are unpacked when all are here.
void PartitionedReceive::unpack(std::int64_t number) {
  if (is_in_device_memory(rank_, all_.data, all_.count, all_.type)) return;
  const auto bytes = static_cast<std::int64_t>(offer_.bytes);
  const SwitchedIn switched(rank_);  // some may be thread-local variables
  all_.type->unpack(all_.data, staged_.data() + number * bytes, all_.count, number * bytes, bytes);
}

void PartitionedReceive::part_has_ended() {
  if (--missing_ == 0) finish();
}

void PartitionedReceive::finish() {
  if (error_ != MPI_SUCCESS || !is_staged() || !is_in_device_memory(rank_, all_.data, all_.count, all_.type))
    return end();
  const ProgramData to{all_.data, all_.count, all_.type, true};
  const ProgramData from{staged_.data(), static_cast<MPI_Count>(staged_.size()), nullptr};
  const auto then = [](void* self) { static_cast<PartitionedReceive*>(self)->end(); };
  if (start_copy(rank_, to, from, staged_.size(), then, this)) end();
}

void PartitionedReceive::end() {
  MPI_Status& status = mutable_status();
  status.MPI_SOURCE = from_->source;
  status.MPI_TAG = from_->tag;
  const std::uint64_t sent = static_cast<std::uint64_t>(offer_.partitions) * offer_.bytes;
  set_status_bytes(status, std::min<std::uint64_t>(sent, all_.bytes()));
  complete(error_);
}

bool PartitionedReceive::has_arrived(int partition) const {
  check_partition(partition);
  if (!is_active()) return true;
  const std::uint64_t bytes = all_.bytes() / static_cast<std::uint64_t>(partitions());
  if (wait_ != nullptr || bytes == 0 || !is_of_same_size()) return false;
  if (is_staged() && is_in_device_memory(rank_, all_.data, all_.count, all_.type)) return false;
  const std::uint64_t begin = static_cast<std::uint64_t>(partition) * bytes;
  for (std::uint64_t i = begin / offer_.bytes; i * offer_.bytes < begin + bytes; ++i)
    if (!has_arrived_[i]) return false;
  return true;
}

std::string PartitionedReceive::describe() const {
  const std::string from = ampi::describe(*from_);
  if (wait_ != nullptr) return "for a partitioned send " + from + " (MPI_Psend_init)";
  return "for " + std::to_string(missing_) + " of " + std::to_string(offer_.partitions) + " partitions " + from;
}

}  // namespace kaon::ampi
