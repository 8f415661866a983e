// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/operation_request.hpp"

#include <optional>
#include <utility>

#include "kaon/ampi_shim/messages/departures.hpp"
#include "kaon/ampi_shim/ranks/switched_in.hpp"
#include "kaon/ampi_shim/windows/accumulation.hpp"
#include "kaon/ampi_shim/windows/windows.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"

namespace kaon::ampi {
namespace window_handlers {  // not unnamed: entries are told apart by their names

void operate(Pe& pe, OperationHeader header, std::vector<std::int64_t> layout, Payload<std::byte> data) {
  Window* const window = rank_here(pe, header.ranks, header.to).part<Windows>().find(header.window);
  if (window == nullptr) throw CorruptMessage("a one-sided operation came for a window that is not here");
  perform(*window, ArrivedOperation{header, std::move(layout), std::move(data)});
}

void answered(Pe& pe, ReplyTo operation, int error, Payload<std::byte> result) {
  OperationRequest::is_answered(pe, operation, error, std::move(result));
}

}  // namespace window_handlers

OperationRequest::OperationRequest(Window& window, int target, const Incoming& result, bool has_handle)
    : Request(false), window_(window), target_(target), result_(result), has_handle_(has_handle) {
  if (result.type != nullptr) type_ = TypeRef(*result.type);
}

void OperationRequest::send(OperationHeader header, std::vector<std::int64_t>&& layout, Payload<std::byte>&& data) {
  using Operated = RemoteProcedure<&window_handlers::operate, Counting::counted>;
  begin();
  window_.operation_begins(target_);
  Rank& rank = window_.rank();
  const Communicator& communicator = window_.communicator();
  header.window = window_.context();
  header.from = communicator.rank();
  header.origin = rank.number();
  header.to = communicator.rank_in_run(target_);
  header.ranks = rank.collection();
  header.answer = rank.scheduler().replies().open(*this, answered_);
  if (is_accumulate(header.kind)) header.sequence = window_.next_sequence(target_);
  Departures::here().note_send();
  Operated::send(rank.scheduler(), rank.pe_of(header.to), header, std::move(layout), std::move(data));
}

void OperationRequest::is_answered(Pe& pe, ReplyTo operation, int error, Payload<std::byte>&& result) {
  Work* const waiting = pe.replies().close<Answered>(operation).receiver;
  if (waiting == nullptr) throw CorruptMessage("an answer came to a one-sided operation that does not wait for it");
  static_cast<OperationRequest&>(*waiting).end(error, std::move(result));
}

void OperationRequest::end(int error, Payload<std::byte>&& result) {
  const Payload<std::byte> owned(std::move(result));
  if (error == MPI_SUCCESS && result_.count > 0) {
    const SwitchedIn switched(window_.rank());  // its memory may be a thread-local variable
    result_.unpack(owned.view().data(), owned.size());
  }
  Window& window = window_;
  const int target = target_;
  const int error_of_window = has_handle_ ? int{MPI_SUCCESS} : error;
  complete(error);  // may be its end
  window.operation_ended(target, error_of_window);
}

std::string OperationRequest::describe() const {
  return "for a one-sided operation at rank " + std::to_string(target_) + " of its window";
}

// --- at the target

namespace {

/// Where the data are; nullptr: not in memory of the window.
std::byte* memory_at(const Window& window, const OperationHeader& header) {
  const auto at = static_cast<std::uint64_t>(header.displacement);
  const auto first = at + static_cast<std::uint64_t>(header.first);
  if (window.is_dynamic()) {
    const bool is_there = window.attached.holds(first, static_cast<std::uint64_t>(header.covered));
    return is_there ? reinterpret_cast<std::byte*>(at) : nullptr;
  }
  const auto size = static_cast<std::uint64_t>(window.own.size);
  const auto covered = static_cast<std::uint64_t>(header.covered);
  return first <= size && covered <= size - first ? window.own.base + at : nullptr;
}

TargetElements elements_of_message(const ArrivedOperation& operation) {
  if (!operation.layout.empty()) return TargetElements::from_words(operation.layout);
  return {Layout::run(operation.header.first, operation.header.bytes), 1, operation.header.bytes};
}

void require_bytes(const ArrivedOperation& operation, std::int64_t bytes) {
  if (operation.data.size() != static_cast<std::size_t>(bytes))
    throw CorruptMessage("a one-sided operation has other data than it says");
}

Accumulation accumulation_of(const OperationHeader& header) {
  Accumulation accumulation;
  accumulation.operation = Operation::of(reinterpret_cast<MPI_Op>(header.operation));
  accumulation.element = Datatype::of(reinterpret_cast<MPI_Datatype>(header.element));
  if (accumulation.operation == nullptr || accumulation.element == nullptr ||
      accumulation.operation->kernel(*accumulation.element) == nullptr)
    throw CorruptMessage("a one-sided operation has an operation or a datatype that is none");
  return accumulation;
}

/// Gives what the origin gets.
Payload<std::byte> apply(Window& window, ArrivedOperation& operation, std::byte* memory) {
  const OperationHeader& header = operation.header;
  const TargetElements target = elements_of_message(operation);
  PartControl& control = *window.part(window.communicator().rank()).control;
  Payload<std::byte> result;
  if (header.kind != OperationKind::put && header.kind != OperationKind::accumulate)
    result = Payload<std::byte>::uninitialized(static_cast<std::size_t>(header.bytes));
  switch (header.kind) {
    case OperationKind::put:
      require_bytes(operation, header.bytes);
      target.unpack(memory, operation.data.view().data(), header.bytes);
      break;
    case OperationKind::get:
      target.pack(result.view().data(), memory);
      break;
    case OperationKind::accumulate:
    case OperationKind::get_accumulate: {
      Accumulation accumulation = accumulation_of(header);
      if (accumulation.operation->handle() != MPI_NO_OP) require_bytes(operation, target.bytes());
      accumulation.target = &target;
      accumulation.origin = operation.data.view().data();
      accumulation.result = result.view().data();
      accumulation.apply(control, memory);
      break;
    }
    case OperationKind::compare_and_swap: {
      require_bytes(operation, 2 * header.bytes);
      const std::byte* const data = operation.data.view().data();
      const auto bytes = static_cast<std::size_t>(header.bytes);
      ComparedSwap{bytes, data, data + bytes, result.view().data()}.apply(control, memory + header.first);
      break;
    }
  }
  return result;
}

void perform_now(Window& window, ArrivedOperation operation) {
  using Answered = RemoteProcedure<&window_handlers::answered, Counting::counted>;
  const OperationHeader& header = operation.header;
  Payload<std::byte> result;
  int error = MPI_SUCCESS;
  if (header.bytes > 0) {
    std::optional<SwitchedIn> switched;
    if (window.own.is_thread_local || window.is_dynamic()) switched.emplace(window.rank());
    std::byte* const memory = memory_at(window, header);
    error = memory != nullptr ? MPI_SUCCESS : MPI_ERR_RMA_RANGE;
    if (memory != nullptr) result = apply(window, operation, memory);
  }
  Rank& rank = window.rank();
  Departures::here().note_send();
  Answered::send(rank.scheduler(), rank.pe_of(header.origin), header.answer, error, std::move(result));
}

}  // namespace

void perform(Window& window, ArrivedOperation&& operation) {
  if (!is_accumulate(operation.header.kind)) return perform_now(window, std::move(operation));
  const int origin = operation.header.from;
  if (!window.order.take_or_keep(operation)) return;
  perform_now(window, std::move(operation));
  while (std::optional<ArrivedOperation> next = window.order.take_next(origin)) perform_now(window, std::move(*next));
}

}  // namespace kaon::ampi
