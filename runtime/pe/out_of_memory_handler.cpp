// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/out_of_memory_handler.hpp"

#include <atomic>
#include <cstdlib>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/last_words.hpp"
#include "kaon/runtime/base/short_text.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"

namespace kaon::runtime {
namespace {

// What the handler reads. Written by the thread of the session; relaxed, as other threads of the run are made later.
constexpr int kAlone = -1;
std::atomic<int> process_number{kAlone};
std::atomic<int> nested{0};
std::atomic<std::terminate_handler> handler_before{nullptr};

[[noreturn]] void end_by(const std::exception& error, int process, const Pe* pe) noexcept {
  ShortText who, where;
  if (process != kAlone) who << "process " << process << ": ";
  if (pe != nullptr) {
    who << "PE " << pe->id() << ": ";
    ShortText place;
    place << pe->failures().place();
    if (place.empty()) say_running(*pe, place);
    if (!place.empty()) where << "\n  in " << place.view();
  }
  runtime::end_by(error, who.view(), where.view());
}

void end_if_out_of_memory() {
  try {
    throw;
  } catch (const std::exception& error) {
    if (exit_code(error) == kExitOutOfMemory) end_by(error, process_number, this_pe_or_null());
  } catch (...) {  // of the program's own
  }
}

[[noreturn]] void handle_terminate() {
  if (std::current_exception() != nullptr) end_if_out_of_memory();
  if (const std::terminate_handler before = handler_before) before();
  std::abort();
}

int number_of(const Seat& seat) { return seat.processes > 1 ? seat.process : kAlone; }

}  // namespace

OutOfMemoryHandler::OutOfMemoryHandler(const Seat& seat) noexcept
    : process_before_(process_number.exchange(number_of(seat), std::memory_order_relaxed)) {
  if (nested.fetch_add(1) == 0) handler_before = std::set_terminate(handle_terminate);
}

OutOfMemoryHandler::~OutOfMemoryHandler() {
  process_number.store(process_before_, std::memory_order_relaxed);
  // A handler that the program has set since stays.
  if (nested.fetch_sub(1) == 1 && std::get_terminate() == handle_terminate) std::set_terminate(handler_before);
}

void end_run_by(const std::exception& error, Bootstrap& bootstrap) noexcept {
  try {
    bootstrap.abort(exit_code(error), error_text(error));
  } catch (const std::exception&) {
  }
  runtime::end_by(error, "");
}

void end_by(const std::exception& error, const Seat& seat, const Pe* pe) noexcept {
  end_by(error, number_of(seat), pe);
}

}  // namespace kaon::runtime
