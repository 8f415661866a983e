// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/poll_set.hpp"

#include <sys/epoll.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::launch {

static_assert(EPOLLIN == POLLIN && EPOLLOUT == POLLOUT && EPOLLERR == POLLERR && EPOLLHUP == POLLHUP);

PollSet::PollSet() : set_(epoll_create1(EPOLL_CLOEXEC)) {
  if (!set_.is_open())
    throw UsageError(std::string("cannot open an epoll descriptor: ") + std::strerror(errno) + "; raise `ulimit -n`");
}

void PollSet::wait(std::span<pollfd> polled, int limit_ms) {
  ++wait_;
  note(polled);
  leave_out_others();
  bool is_one_ready = false;
  for (pollfd& each : polled) {
    each.revents = 0;
    if (each.fd < 0) continue;
    if (!member(each.fd).is_known || member(each.fd).events != each.events) tell(each.fd, each.events);
    if (!member(each.fd).is_always_ready) continue;
    each.revents = each.events;
    is_one_ready = is_one_ready || each.events != 0;
  }
  // What finds no room stays ready.
  std::array<epoll_event, 256> ready{};
  const int count = epoll_wait(set_.number(), ready.data(), ready.size(), is_one_ready ? 0 : limit_ms);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = ready[static_cast<std::size_t>(i)];
    if (is_wanted(event.data.fd)) polled[member(event.data.fd).position].revents = static_cast<short>(event.events);
  }
}

void PollSet::note(std::span<pollfd> polled) {
  for (std::size_t i = 0; i < polled.size(); ++i) {
    if (polled[i].fd < 0) continue;
    const auto number = static_cast<std::size_t>(polled[i].fd);
    if (number >= members_.size()) members_.resize(number + 1);
    members_[number].position = i;
    members_[number].wait = wait_;
  }
}

// Those that were closed the system has left out by itself. Before others are told, which may have their numbers.
void PollSet::leave_out_others() {
  std::erase_if(known_, [this](int descriptor) {
    if (is_wanted(descriptor)) return false;
    epoll_ctl(set_.number(), EPOLL_CTL_DEL, descriptor, nullptr);
    member(descriptor) = {};
    return true;
  });
}

void PollSet::tell(int descriptor, short events) {
  epoll_event event{};
  event.events = static_cast<std::uint32_t>(events);
  event.data.fd = descriptor;
  Member& told = member(descriptor);
  const int result = epoll_ctl(set_.number(), told.is_known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, &event);
  told.is_always_ready = result != 0 && (errno == EPERM || told.is_always_ready);
  told.events = events;
  if (!told.is_known) known_.push_back(descriptor);
  told.is_known = true;
}

bool PollSet::is_wanted(int descriptor) const {
  const auto number = static_cast<std::size_t>(descriptor);
  return number < members_.size() && members_[number].wait == wait_;
}

}  // namespace kaon::launch
