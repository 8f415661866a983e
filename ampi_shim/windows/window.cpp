// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/window.hpp"

#include "kaon/ampi_shim/datatypes/handle_memory.hpp"

namespace kaon::ampi {
namespace {

// Of all ranks of the process. It is never destroyed: ranks may end later than static objects.
HandleMemory<Window>& memory_of_windows() {
  static auto& memory = *new HandleMemory<Window>;
  return memory;
}

}  // namespace

/// The wait of the one strand that uses the window, for a signal or an answer.
class Window::ChangeWait {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;
  ChangeWait(Window& window, const char* what) : window_(window), what_(what) {}
  bool is_ready() const { return false; }
  bool start(Waiter& waiter) {
    window_.waiter_ = &static_cast<StackWaiter&>(waiter);
    return false;
  }
  void give_up(Waiter&) noexcept { window_.waiter_ = nullptr; }
  void take() const {}
  std::string describe() const { return what_; }

 private:
  Window& window_;
  const char* what_;
};

Window::Window(Rank& rank, CommunicatorRef communicator, const OwnPart& own)
    : Handled(static_cast<std::uint64_t>(rank.number())),
      own(own),
      rank_(rank),
      communicator_(std::move(communicator)) {
  errors.handle = MPI_ERRORS_ARE_FATAL;
}

Window::~Window() = default;

void* Window::operator new(std::size_t) { return memory_of_windows().allocate(); }
void Window::operator delete(void* memory) noexcept { memory_of_windows().release(memory); }

void Window::set_parts(WindowParts::Shared parts) {
  parts_ = std::move(parts);
  queue_.emplace(part(communicator_->rank()).control->lock);
}

void Window::operation_begins(int target) {
  ++pending_;
  ++pending_at_[target];
}

void Window::operation_ended(int target, int error) {
  if (error_ == MPI_SUCCESS) error_ = error;
  --pending_;
  if (const auto found = pending_at_.find(target); --found->second == 0) pending_at_.erase(found);
  changed();
}

int Window::pending_at(int target) const {
  const auto found = pending_at_.find(target);
  return found != pending_at_.end() ? found->second : 0;
}

void Window::serve_lock() {
  queue_->serve([this](int origin) { send_signal(*this, origin, SignalKind::granted); });
}

void Window::take(const Signal& signal) {
  WindowLock& lock = part(communicator_->rank()).control->lock;
  switch (signal.kind) {
    case SignalKind::lock_shared:
    case SignalKind::lock_exclusive:
      queue_->add(signal.from, signal.kind == SignalKind::lock_shared ? LockKind::shared : LockKind::exclusive);
      return serve_lock();
    case SignalKind::released_shared:
    case SignalKind::released_exclusive:
      if (lock.release(signal.kind == SignalKind::released_shared ? LockKind::shared : LockKind::exclusive))
        serve_lock();
      return;
    case SignalKind::serve:
      return serve_lock();
    case SignalKind::granted:
      ++grants_;
      return changed();
    case SignalKind::posted:
      ++posts_[signal.from];
      return changed();
    case SignalKind::completed:
      ++completions_;
      return changed();
  }
}

void Window::wait_for_change(const char* what) { current_strand().wait(ChangeWait(*this, what)); }

}  // namespace kaon::ampi
