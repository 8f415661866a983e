// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/execution.hpp"

#include <signal.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/base/no_thread.hpp"
#include "kaon/runtime/base/topology.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/pe/awaited_messages.hpp"
#include "kaon/runtime/pe/crash_report.hpp"
#include "kaon/runtime/pe/crash_stack.hpp"
#include "kaon/runtime/pe/devices.hpp"
#include "kaon/runtime/pe/idling.hpp"
#include "kaon/runtime/pe/out_of_memory_handler.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"
#include "kaon/runtime/pe/spanning_tree.hpp"
#include "kaon/runtime/pe/stall_watch.hpp"
#include "kaon/runtime/ports/bootstrap.hpp"
#include "kaon/runtime/ports/process_contact.hpp"

namespace kaon::runtime {
namespace execution_handlers {  // not unnamed: entries are told apart by their names

void end(Pe& pe, PeId root, int code, RunEnd how) {
  if (root >= pe.process().total_pes())
    throw CorruptMessage("the end of the run was announced by a PE that does not exist");
  const SpanningTree tree = tree_from(root, pe);
  tree.each_child(pe.id(), [&](PeId child) { RemoteProcedure<&end>::send(pe, child, root, code, how); });
  pe.process().set_exit_code(code);
  if (how == RunEnd::stop)
    pe.stop();
  else
    pe.pause();
}

}  // namespace execution_handlers

namespace {

class UnknownException : public std::exception {
 public:
  const char* what() const noexcept override { return "an exception that is no std::exception"; }
};

/// While one is alive, SIGUSR1 asks this process to have the run's waits printed; unless the program handles it itself.
class ReportSignal {
 public:
  ReportSignal() {
    struct sigaction ours = {};
    ours.sa_handler = [](int) { is_wanted.store(true, std::memory_order_relaxed); };
    ours.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, nullptr, &before_);
    is_ours_ =
        (before_.sa_handler == SIG_DFL || before_.sa_handler == SIG_IGN) && sigaction(SIGUSR1, &ours, nullptr) == 0;
  }
  ReportSignal(const ReportSignal&) = delete;
  ReportSignal& operator=(const ReportSignal&) = delete;
  ~ReportSignal() {
    if (is_ours_) sigaction(SIGUSR1, &before_, nullptr);
  }
  static bool has_come() {
    return is_wanted.load(std::memory_order_relaxed) && is_wanted.exchange(false, std::memory_order_relaxed);
  }

 private:
  static inline std::atomic<bool> is_wanted{false};
  struct sigaction before_ = {};
  bool is_ours_ = false;
};

}  // namespace

Pinning pin_thread_of(Pe& pe) {
  const Process& process = pe.process();
  const Seat& seat = process.seat();
  return pin_this_thread(seat.place_on_cores, seat.processes_on_cores, static_cast<int>(pe.id() - process.first_pe()),
                         process.roster().pes_per_process());
}

void end_run(Pe& pe, int code, RunEnd how) {
  RemoteProcedure<&execution_handlers::end>::send(pe, pe.id(), pe.id(), code, how);
}

/// Those of the PEs but the first, and where all of them meet.
class Execution::Threads {
 public:
  explicit Threads(std::ptrdiff_t count) : meeting(count) {}
  std::barrier<> meeting;
  std::vector<std::jthread> others;
};

/// What runs take of the process until the last has ended, and give back.
class Execution::Borrowed {
 public:
  explicit Borrowed(const Process& process) : memory_(process.seat()), crash_(process) {}

 private:
  ReportSignal report_;
  OutOfMemoryHandler memory_;
  CrashReport crash_;
  CrashStack stack_;
};

Execution::Execution(Process& process, Bootstrap& bootstrap, Devices* devices)
    : process_(process),
      bootstrap_(bootstrap),
      devices_(devices),
      report_(process),
      threads_(std::make_unique<Threads>(process.local_pes())) {
  const DeviceVendor vendor = devices != nullptr ? devices->vendor() : DeviceVendor::none;
  if (process.seat().processes > 1)
    machine_ = make_machine(bootstrap, process.roster(), {vendor, process.options().interface});
  if (devices != nullptr) devices->use_machine(machine_.get());
}

Execution::~Execution() {
  if (devices_ != nullptr) devices_->use_machine(nullptr);
}

void Execution::start() {
  const ThreadAffinity of_caller;
  borrowed_ = std::make_unique<Borrowed>(process_);
  guarded(process_.pe(0), [this] {
    start_threads();
    open_ports(process_.pe(0));
  });
}

void Execution::start_threads() {
  PeId pe = 1;
  try {
    for (; pe < process_.local_pes(); ++pe) threads_->others.emplace_back([this, pe] { live(process_.pe(pe)); });
  } catch (const std::system_error& error) {
    throw_no_thread("the thread of PE " + std::to_string(process_.first_pe() + pe), error);
  }
}

// The caller's thread is a PE's meanwhile: what it starts between runs, as OpenMP its threads, may run on all cores.
int Execution::run(const Start& start) {
  const ThreadAffinity of_caller;
  if (process_.options().pin) pin_thread_of(process_.pe(0));
  run_pe(process_.pe(0), start);
  if (process_.pe(0).is_stopped()) finish();
  return process_.exit_code();
}

/// Of a thread of its own.
void Execution::live(Pe& pe) {
  const CrashStack stack;
  guarded(pe, [&] { open_ports(pe); });
  while (!pe.is_stopped()) run_pe(pe, {});
}

void Execution::guarded(Pe& pe, const std::function<void()>& action) {
  const CurrentPe current(pe);
  try {
    action();
  } catch (const std::exception& error) {
    fail(error, pe);
  } catch (...) {
    fail(UnknownException(), pe);
  }
}

void Execution::run_pe(Pe& pe, const Start& start) {
  threads_->meeting.arrive_and_wait();
  guarded(pe, [&] {
    pe.resume();
    if (pe.id() == 0) start(pe);
    drive(pe);
    pe.failures().rethrow_first();
    if (!pe.is_stopped()) return pause(pe);
    wait_for_others(pe);
    warn_of_missed_wakeups(pe);
  });
  threads_->meeting.arrive_and_wait();
}

void Execution::finish() {
  threads_->others.clear();
  if (report_undelivered_messages(process_) && process_.exit_code() == 0) process_.set_exit_code(kExitDeadlock);
  process_.clear();
  report_.ended();
  borrowed_.reset();
  is_over_ = true;
}

void Execution::open_ports(Pe& pe) {
  const auto local = static_cast<int>(pe.id() - process_.first_pe());
  const Pinning pinning = process_.options().pin ? pin_thread_of(pe) : Pinning::not_wanted;
  if (devices_ != nullptr) pe.attach(devices_->make_accelerator(pe));  // first: the network finds the device in use
  if (machine_ != nullptr) pe.exchange().open(*machine_);
  threads_->meeting.arrive_and_wait();
  if (local == 0) connect(pinning);
  threads_->meeting.arrive_and_wait();
  if (pe.id() == 0) pe.stall_watch().start();
}

void Execution::connect(Pinning pinning) {
  ProcessContact contact;
  if (machine_ != nullptr) contact.ports = machine_->contact();
  if (machine_ != nullptr && devices_ != nullptr) contact.devices = devices_->contact();
  bootstrap_.use_network(process_.options().interface);
  bootstrap_.put(process_.entries().hash(), encode_process_contact(contact));
  bootstrap_.fence();
  if (machine_ != nullptr && devices_ != nullptr)
    devices_->meet(process_.roster().neighbors_of(process_.seat().process),
                   [this](int process) { return decode_process_contact(bootstrap_.get(process)).devices; });
  report_.joined(pinning, machine_.get());
}

void Execution::drive(Pe& pe) {
  constexpr int kPiecesAtATime = 64;
  Idling idling(process_.options().spin_us,
                is_oversubscribed(process_.seat().processes_on_cores, process_.roster().pes_per_process()));
  const bool is_first = pe.id() == process_.first_pe();
  while (pe.is_running()) {
    if (is_first && ReportSignal::has_come()) pe.stall_watch().print_waits();
    if (pe.run_some(kPiecesAtATime)) {
      idling.is_over();
      continue;
    }
    const bool sleeps = !idling.may_look_again(pe);
    if (sleeps) pe.parker().sleep();
    if (pe.parker().look_for_work()) idling.came(sleeps);
  }
}

/// What has been sent leaves, above all the end of the run for others; but nobody waits for who does not run.
void Execution::pause(Pe& pe) {
  constexpr std::chrono::milliseconds kPatience{10};
  pe.held_sends().send(pe);
  pe.move_network();
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (pe.exchange().is_sending() && std::chrono::steady_clock::now() < until) pe.move_network();
}

void Execution::wait_for_others(Pe& pe) {
  // what PEs of this process still send to others must leave, and what others still send must not find us gone; nor may
  // devices still work for this run
  while (pe.exchange().is_sending()) finish_sending(pe);
  if (machine_ == nullptr) return;
  const auto local = pe.id() - process_.first_pe();
  if (process_.stopped_pes().fetch_add(1) + 1 == process_.local_pes()) bootstrap_.arrive();
  while (!process_.is_over()) {
    finish_sending(pe);
    if (local == 0 && process_.stopped_pes().load() == process_.local_pes() && bootstrap_.is_released())
      process_.set_over();
    else
      std::this_thread::yield();
  }
  threads_->meeting.arrive_and_wait();
  pe.exchange().close();
}

void Execution::fail(const std::exception& error, Pe& pe) noexcept {
  try {
    std::string text = "PE " + std::to_string(pe.id()) + ": " + error_text(error);
    if (const std::string place = describe_running(pe); !place.empty()) text += "\n  in " + place;
    bootstrap_.abort(exit_code(error), text);
  } catch (const std::exception&) {  // no memory to say so in the usual way
  }
  end_by(error, process_.seat(), &pe);
}

void Execution::warn_of_missed_wakeups(const Pe& pe) const {
  if (pe.parker().missed_wakeups() > 0)
    log_warn("PE " + std::to_string(pe.id()) + ": " + std::to_string(pe.parker().missed_wakeups()) +
             " wake-ups were missed and made up for by the watchdog; please report this");
}

}  // namespace kaon::runtime
