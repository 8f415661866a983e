// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/backends/host_engine.hpp"

#include <atomic>
#include <chrono>
#include <system_error>
#include <utility>
#include <vector>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/backends/host_queue.hpp"
#include "kaon/runtime/base/no_thread.hpp"

namespace kaon::gpu {

HostEngine::~HostEngine() {
  std::unique_lock lock(mutex_);
  for (HostStream& stream : streams_) stream.is_closed = true;
  while (HostStream* const stream = has_threads() ? nullptr : choose(false)) run_first(*stream, lock);
  changed_.notify_all();
  lock.unlock();
  for (HostStream& stream : streams_) {
    if (stream.thread.joinable()) stream.thread.join();
  }
}

void HostEngine::start_thread(HostStream& stream) {
  try {
    stream.thread = std::jthread([this, &stream] { serve(stream); });
  } catch (const std::system_error& error) {
    streams_.pop_back();
    throw_no_thread("the thread of a stream of the emulated device", error);
  }
}

HostStream& HostEngine::make_stream() {
  const std::lock_guard lock(mutex_);
  forget_ended();
  HostStream& stream = streams_.emplace_back(*this);
  stream.pauses.seed(++made_);
  if (has_threads()) start_thread(stream);
  return stream;
}

void HostEngine::close(HostStream& stream) noexcept {
  const std::lock_guard lock(mutex_);
  stream.is_closed = true;
  end_when_over(stream);
  changed_.notify_all();
}

/// Threads that are over do nothing but return, so joining them under the lock takes no time.
void HostEngine::forget_ended() {
  streams_.remove_if([](const HostStream& stream) { return stream.is_over; });
}

void HostEngine::enqueue(HostStream& stream, std::function<void()> work, bool is_delayed) {
  enqueue_steps(
      stream,
      [work = std::move(work)] {
        work();
        return HostStep::ended;
      },
      is_delayed);
}

void HostEngine::enqueue_steps(HostStream& stream, std::function<HostStep()> work, bool is_delayed) {
  push(stream, {.work = std::move(work), .reaches = nullptr, .awaits = nullptr, .is_delayed = is_delayed});
}

void HostEngine::record(HostEvent& event, HostStream& stream) {
  auto mark = std::make_shared<HostMark>();
  mark->stream = &stream;
  {
    const std::lock_guard lock(mutex_);
    event.latest = mark;
  }
  // delayed too: what is done is known only some time after
  push(stream, {.work = nullptr, .reaches = std::move(mark), .awaits = nullptr, .is_delayed = true});
}

void HostEngine::wait(HostStream& stream, const HostEvent& event) {
  std::unique_lock lock(mutex_);
  std::shared_ptr<HostMark> mark = event.latest;
  lock.unlock();
  if (mark != nullptr) push(stream, {.work = nullptr, .reaches = nullptr, .awaits = std::move(mark)});
}

void HostEngine::wait_flag(HostStream& stream, const std::uint32_t* word, std::uint32_t k) {
  const auto look = [this, word, k] {
    const std::uint32_t value =
        std::atomic_ref<std::uint32_t>(*const_cast<std::uint32_t*>(word)).load(std::memory_order_acquire);
    return static_cast<std::int32_t>(value - k) >= 0 || has_fault() ? HostStep::ended : HostStep::waits;
  };
  push(stream, {.work = look, .reaches = nullptr, .awaits = nullptr, .is_flag_wait = true});
}

bool HostEngine::has_fault() {
  const std::lock_guard lock(mutex_);
  return fault_ != nullptr;
}

bool HostEngine::is_reached(const HostEvent& event) {
  const std::lock_guard lock(mutex_);
  if (fault_ != nullptr) std::rethrow_exception(fault_);
  return event.latest == nullptr || event.latest->is_reached;
}

double HostEngine::seconds_between(const HostEvent& begin, const HostEvent& end) {
  const std::lock_guard lock(mutex_);
  return std::chrono::duration<double>(end.latest->reached_at - begin.latest->reached_at).count();
}

bool HostEngine::advance() {
  std::unique_lock lock(mutex_);
  HostStream* const stream = has_threads() ? nullptr : choose(true);
  if (stream == nullptr) return false;
  run_first(*stream, lock);
  return true;
}

void HostEngine::push(HostStream& stream, HostOperation operation) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return finishing_ == 0; });
  if (stream.is_closed) throw GpuError("work was given to a stream that had been destroyed");
  stream.waiting.push_back(std::move(operation));
  changed_.notify_all();
}

bool HostEngine::finish(int device) {
  std::unique_lock lock(mutex_);
  const auto marks = mark_all(device);
  if (marks.empty()) return true;
  ++finishing_;
  const bool has_ended = wait_for(marks, lock);
  --finishing_;
  if (!has_ended && fault_ == nullptr)
    fault_ = std::make_exception_ptr(
        GpuError("memory was given back to the driver, or copies were prepared or destroyed, while a device was at "
                 "work on something "
                 "that did not end: the driver waits for that and holds up all threads (KAON_HOST_DEVICE=free=waits)"));
  changed_.notify_all();
  return has_ended;
}

std::vector<std::shared_ptr<HostMark>> HostEngine::mark_all(int device) {
  std::vector<std::shared_ptr<HostMark>> marks;
  for (HostStream& stream : streams_) {
    if (stream.waiting.empty() || (device >= 0 && stream.device != device)) continue;
    stream.waiting.push_back(
        {.work = nullptr, .reaches = marks.emplace_back(std::make_shared<HostMark>()), .awaits = nullptr});
  }
  changed_.notify_all();
  return marks;
}

bool HostEngine::wait_for(const std::vector<std::shared_ptr<HostMark>>& marks, std::unique_lock<std::mutex>& lock) {
  const auto patience = std::chrono::duration<double>(settings_.free_waits_s);
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(patience);
  const auto is_over = [&] {
    return fault_ != nullptr ||
           std::all_of(marks.begin(), marks.end(), [](const auto& mark) { return mark->is_reached; });
  };
  if (has_threads()) return changed_.wait_until(lock, until, is_over);
  while (!is_over() && std::chrono::steady_clock::now() < until)
    if (HostStream* const stream = choose(true)) run_first(*stream, lock);
  return is_over();
}

/// What the thread of a stream does.
void HostEngine::serve(HostStream& stream) {
  std::unique_lock lock(mutex_);
  const auto is_done = [&] { return stream.is_closed && stream.waiting.empty(); };
  const auto may_go_on_now = [&] {
    return may_go_on(stream, settings_.queues > 0 ? free_queues() : std::vector<int>{});
  };
  while (true) {
    changed_.wait(lock, [&] { return may_go_on_now() || is_done(); });
    if (is_done()) break;
    run_first(stream, lock);
  }
  stream.end();
}

/// A seeded stream has no thread that sees its end.
void HostEngine::end_when_over(HostStream& stream) {
  if (!has_threads() && stream.is_closed && !stream.is_busy && stream.waiting.empty()) stream.end();
}

/// By device.
std::vector<int> HostEngine::free_queues() const {
  std::vector<int> free(static_cast<std::size_t>(settings_.devices), settings_.queues);
  for (const HostStream& stream : streams_)
    if (stream.stands()) --free[static_cast<std::size_t>(stream.device)];
  return free;
}

/// With few queues, what stands already goes on when its wait is over; all else needs a queue that none stands in.
bool HostEngine::may_go_on(const HostStream& stream, const std::vector<int>& free_queues) const {
  if (!stream.is_ready()) return false;
  return settings_.queues == 0 || stream.stands() || free_queues[static_cast<std::size_t>(stream.device)] > 0;
}

/// A stream that can go on, as the seed has it. `may_rest`: every fourth time none.
HostStream* HostEngine::choose(bool may_rest) {
  const std::vector<int> queues = settings_.queues > 0 ? free_queues() : std::vector<int>{};
  std::vector<HostStream*> ready;
  for (HostStream& stream : streams_) {
    if (may_go_on(stream, queues)) ready.push_back(&stream);
  }
  if (ready.empty() || (may_rest && choices_() % 4 == 0)) return nullptr;
  return ready[choices_() % ready.size()];
}

/// Runs the first operation without the lock, or where no stream has a thread a step of it; the stream keeps it until
/// it is complete, and its own end is never seen before the operation's.
void HostEngine::run_first(HostStream& stream, std::unique_lock<std::mutex>& lock) {
  stream.waiting.front().has_begun = true;
  HostOperation operation = std::move(stream.waiting.front());
  stream.is_busy = true;
  lock.unlock();
  if (operation.is_delayed) pause(stream);
  operation.is_delayed = false;
  std::exception_ptr fault;
  bool is_over = true;
  try {
    if (operation.work) is_over = do_work(operation);
  } catch (...) {
    fault = std::current_exception();
  }
  if (is_over) operation.work = nullptr;  // what it captured ends before the operation counts as done
  lock.lock();
  if (fault_ == nullptr) fault_ = fault;
  stream.is_busy = false;
  if (is_over)
    finish_first(stream, operation);
  else
    stream.waiting.front() = std::move(operation);
}

/// False: there is more to do.
bool HostEngine::do_work(HostOperation& operation) {
  HostStep step = operation.work();
  for (; has_threads() && step != HostStep::ended; step = operation.work())
    if (step == HostStep::waits) std::this_thread::yield();
  return step == HostStep::ended;
}

void HostEngine::finish_first(HostStream& stream, HostOperation& operation) {
  // Under the lock, as it is read: whoever sees it sees what this stream did before.
  if (operation.reaches) {
    operation.reaches->is_reached = true;
    operation.reaches->reached_at = std::chrono::steady_clock::now();
  }
  stream.waiting.pop_front();
  end_when_over(stream);
  changed_.notify_all();
}

void HostEngine::pause(HostStream& stream) {
  if (settings_.delay_us <= 0 || !has_threads()) return;
  std::uniform_real_distribution<double> share(0, 1);
  std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(settings_.delay_us * share(stream.pauses)));
}

HostFibres& fibres_of(NativeStream stream) {
  auto& of = *static_cast<HostStream*>(stream);
  if (of.fibres == nullptr) of.fibres = std::make_unique<HostFibres>(static_cast<unsigned>(of.pauses()));
  return *of.fibres;
}

void let_capture_on_host(NativeStream stream, bool does) { static_cast<HostStream*>(stream)->is_capturing = does; }

void enqueue_on_host(NativeStream stream, std::function<void()> work) {
  auto& on = *static_cast<HostStream*>(stream);
  on.engine.enqueue(on, std::move(work), true);
}

void enqueue_steps_on_host(NativeStream stream, std::function<HostStep()> work) {
  auto& on = *static_cast<HostStream*>(stream);
  on.engine.enqueue_steps(on, std::move(work), true);
}

}  // namespace kaon::gpu
