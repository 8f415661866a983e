// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/accesses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "kaon/ampi_shim/collectives/piece.hpp"
#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "kaon/ampi_shim/messages/send_request.hpp"
#include "kaon/ampi_shim/messages/waits.hpp"
#include "kaon/ampi_shim/windows/accumulation.hpp"
#include "kaon/ampi_shim/windows/operation_request.hpp"
#include "kaon/ampi_shim/windows/synchronization.hpp"

namespace kaon::ampi {
namespace {

/// More messages under way would only fill memory.
constexpr int kMostPending = 256;

/// Where the elements of a place are, as far as their origin knows.
struct Reached {
  const WindowPart* part;
  MPI_Aint displacement;  // bytes
  Span covered;

  std::byte* memory() const { return part->base + displacement; }
};

[[noreturn]] void throw_beyond(const TargetPlace& place, const WindowPart& part, const Reached& reached) {
  throw MpiFault(MPI_ERR_RMA_RANGE, fmt::format("bytes {} to {} are beyond the window of rank {}, which has {}",
                                                reached.displacement + reached.covered.first,
                                                reached.displacement + reached.covered.first + reached.covered.bytes,
                                                place.target, part.size));
}

/// Begins an access: checks it, and takes the lock that MPI_Win_lock_all has left for now.
Reached reach(Window& window, const TargetPlace& place) {
  const WindowPart& part = window.part(place.target);
  Reached reached{&part, place.displacement, span_of(place.count, *place.type)};
  if (!window.is_dynamic()) {
    if (place.displacement < 0) throw MpiFault(MPI_ERR_DISP, fmt::format("the displacement is {}", place.displacement));
    MPI_Aint end = 0;
    const bool is_beyond = __builtin_mul_overflow(place.displacement, part.unit, &reached.displacement) ||
                           __builtin_add_overflow(reached.displacement, reached.covered.first, &end) || end < 0 ||
                           __builtin_add_overflow(end, reached.covered.bytes, &end) || end > part.size;
    if (is_beyond && reached.covered.bytes > 0) throw_beyond(place, part, reached);
  }
  window.epochs.access(place.target);
  take_lock_of_access(window, place.target);
  return reached;
}

std::size_t bytes_of(const TargetPlace& place) { return bytes_of_elements(place.count, place.type); }

/// `bytes`: of data that are moved.
OperationHeader header_of(OperationKind kind, const Reached& reached, std::size_t bytes) {
  OperationHeader header;
  header.kind = kind;
  header.displacement = reached.displacement;
  header.first = reached.covered.first;
  header.covered = reached.covered.bytes;
  header.bytes = static_cast<std::int64_t>(bytes);
  return header;
}

void send(Window& window, const TargetPlace& place, const OperationHeader& header, Payload<std::byte>&& data,
          const Incoming& result, RequestPlace request) {
  window.wait_until([&] { return window.pending() < kMostPending; }, "for one-sided operations under way");
  std::vector<std::int64_t> layout;
  if (!place.type->is_run(place.count)) layout = TargetElements::of(*place.type, place.count).to_words();
  auto& made = *new OperationRequest(window, place.target, result, request != nullptr);
  made.send(header, std::move(layout), std::move(data));
  if (request != nullptr)
    *request = &made;
  else
    made.free();
  let_leave(window.rank());
}

void complete_at_once(const Window& window, RequestPlace request) {
  if (request == nullptr) return;
  *request = new CompleteRequest(empty_status());
  let_leave(window.rank());
}

/// The predefined type of all elements of an accumulate.
const Datatype& element_of(const Datatype& type) {
  const MPI_Datatype element = element_type(type.definition());
  if (element == MPI_DATATYPE_NULL)
    throw MpiFault(MPI_ERR_TYPE, "the elements of the target's datatype are not all of one predefined type");
  return *Datatype::of(element);
}

void check_same_elements(const Datatype& target, const Datatype* other) {
  const MPI_Datatype found = element_type(other->definition());
  if (found == MPI_DATATYPE_NULL || !Datatype::of(found)->signature().matches(target.signature()))
    throw MpiFault(MPI_ERR_TYPE, "the datatypes of an accumulate are not made of the same predefined type");
}

void check_kernel(const Operation& operation, const Datatype& element) {
  if (operation.kernel(element) == nullptr)
    throw MpiFault(MPI_ERR_OP, fmt::format("{} is not defined for {}", name_of(operation), element.name()));
}

/// Data of so many bytes go to memory that must have room for them.
void check_room(std::size_t bytes, std::size_t room) {
  if (bytes > room)
    throw MpiFault(MPI_ERR_TRUNCATE, fmt::format("{} bytes of data go to elements that have {}", bytes, room));
}
void check_equal(std::size_t bytes, const TargetPlace& place) {
  if (bytes != bytes_of(place))
    throw MpiFault(MPI_ERR_COUNT,
                   fmt::format("the buffer has {} bytes, and the target's elements have {}", bytes, bytes_of(place)));
}

/// The origin's data one behind the other: where they lie, or a copy.
class PackedOrigin {
 public:
  explicit PackedOrigin(const Outgoing& origin) : data_(origin.count > 0 ? origin.contiguous() : nullptr) {
    if (data_ != nullptr || origin.count == 0) return;
    copy_ = copy_of(origin, origin.bytes());
    data_ = copy_.view().data();
  }
  const std::byte* data() const { return data_; }

 private:
  Payload<std::byte> copy_;
  const std::byte* data_;
};

void accumulate_directly(const Reached& reached, const PackedOrigin& origin, const Incoming* result,
                         const TargetPlace& place, const Operation& operation, const Datatype& element) {
  const TargetElements target = TargetElements::of(*place.type, place.count);
  Accumulation accumulation{&operation, &element, &target, origin.data(), nullptr};
  if (result == nullptr) return accumulation.apply(*reached.part->control, reached.memory());
  const auto bytes = static_cast<std::size_t>(target.bytes());
  auto fetched = Payload<std::byte>::uninitialized(bytes);
  accumulation.result = fetched.view().data();
  accumulation.apply(*reached.part->control, reached.memory());
  result->unpack(fetched.view().data(), bytes);
}

/// `result` is nullptr in an accumulate that gets nothing.
void accumulate_and_get(Window& window, const Outgoing& origin, const Incoming* result, const TargetPlace& place,
                        const Operation& operation, RequestPlace request) {
  const Datatype& element = element_of(*place.type);
  check_kernel(operation, element);
  const bool has_origin = operation.handle() != MPI_NO_OP;
  if (has_origin) {
    check_same_elements(element, origin.type);
    check_equal(origin.bytes(), place);
  }
  if (result != nullptr) {
    check_same_elements(element, result->type);
    check_equal(result->bytes(), place);
  }
  const Reached reached = reach(window, place);
  if (reached.part->is_direct) {
    const PackedOrigin packed(has_origin ? origin : Outgoing());
    accumulate_directly(reached, packed, result, place, operation, element);
    return complete_at_once(window, request);
  }
  const OperationKind kind = result != nullptr ? OperationKind::get_accumulate : OperationKind::accumulate;
  OperationHeader header = header_of(kind, reached, bytes_of(place));
  header.operation = reinterpret_cast<std::uintptr_t>(operation.handle());
  header.element = reinterpret_cast<std::uintptr_t>(element.handle());
  send(window, place, header, has_origin ? copy_of(origin, origin.bytes()) : Payload<std::byte>(),
       result != nullptr ? *result : Incoming(), request);
}

}  // namespace

void put(Window& window, const Outgoing& origin, const TargetPlace& place, RequestPlace request) {
  const std::size_t bytes = origin.bytes();
  check_room(bytes, bytes_of(place));
  const Reached reached = reach(window, place);
  if (!reached.part->is_direct)
    return send(window, place, header_of(OperationKind::put, reached, bytes), copy_of(origin, bytes), {}, request);
  Incoming{reached.memory(), place.count, place.type}.copy_from(origin);
  complete_at_once(window, request);
}

void get(Window& window, const Incoming& result, const TargetPlace& place, RequestPlace request) {
  const std::size_t bytes = bytes_of(place);
  check_room(bytes, result.bytes());
  const Reached reached = reach(window, place);
  if (!reached.part->is_direct)
    return send(window, place, header_of(OperationKind::get, reached, bytes), {}, result, request);
  result.copy_from(Outgoing{reached.memory(), place.count, place.type});
  complete_at_once(window, request);
}

void accumulate(Window& window, const Outgoing& origin, const TargetPlace& place, const Operation& operation,
                RequestPlace request) {
  accumulate_and_get(window, origin, nullptr, place, operation, request);
}

void get_accumulate(Window& window, const Outgoing& origin, const Incoming& result, const TargetPlace& place,
                    const Operation& operation, RequestPlace request) {
  accumulate_and_get(window, origin, &result, place, operation, request);
}

void compare_and_swap(Window& window, const void* origin, const void* compare, void* result, const TargetPlace& place) {
  const Reached reached = reach(window, place);
  const auto bytes = static_cast<std::size_t>(place.type->size());
  if (reached.part->is_direct)
    return ComparedSwap{bytes, static_cast<const std::byte*>(origin), static_cast<const std::byte*>(compare),
                        static_cast<std::byte*>(result)}
        .apply(*reached.part->control, reached.memory());
  auto values = Payload<std::byte>::uninitialized(2 * bytes);
  std::memcpy(values.view().data(), origin, bytes);
  std::memcpy(values.view().data() + bytes, compare, bytes);
  send(window, place, header_of(OperationKind::compare_and_swap, reached, bytes), std::move(values),
       Incoming{result, 1, place.type}, nullptr);
}

}  // namespace kaon::ampi
