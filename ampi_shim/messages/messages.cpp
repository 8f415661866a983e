// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/messages.hpp"

#include <memory>
#include <string>

#include "kaon/ampi_shim/messages/receive_request.hpp"

namespace kaon::ampi {

/// The wait of a rank that ends for sends whose requests it may have freed.
class LastSends {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;
  explicit LastSends(Messages& messages) : messages_(messages) {}
  bool is_ready() const { return messages_.waiting_sends_ == 0; }
  bool start(Waiter& waiter) {
    messages_.last_wait_ = &static_cast<StackWaiter&>(waiter);
    return false;
  }
  void give_up(Waiter&) noexcept { messages_.last_wait_ = nullptr; }
  void take() const {}
  std::string describe() const {
    return "in MPI_Finalize, for " + std::to_string(messages_.waiting_sends_) + " sends that nobody has received";
  }

 private:
  Messages& messages_;
};

void Messages::finish_sends() { current_strand().wait(LastSends(*this)); }

Messages::~Messages() {
  for (const auto& [key, message] : early_) delete message;
}

std::uint32_t Messages::next_sequence(int to) {
  const auto number = static_cast<std::uint64_t>(to);
  const std::uint64_t count = sent_.find(number).value_or(0);
  sent_.set(number, count + 1);
  return static_cast<std::uint32_t>(count);
}

void Messages::arrive(const Envelope& envelope, Payload<std::byte>&& data) {
  const auto from = static_cast<std::uint64_t>(envelope.from);
  std::uint64_t count = taken_.find(from).value_or(0);
  if (envelope.sequence != static_cast<std::uint32_t>(count)) {
    early_.emplace(std::pair(envelope.from, envelope.sequence), new Arrived(envelope, std::move(data)));
    return;
  }
  taken_.set(from, ++count);
  deliver(envelope, std::move(data));
  if (!early_.empty()) deliver_early(envelope.from, count);
}

void Messages::deliver_early(int from, std::uint64_t count) {
  for (;;) {
    const auto found = early_.find({from, static_cast<std::uint32_t>(count)});
    if (found == early_.end()) return;
    const std::unique_ptr<Arrived> message(found->second);
    early_.erase(found);
    taken_.set(static_cast<std::uint64_t>(from), ++count);
    deliver(message->envelope(), std::move(message->data()));
  }
}

void Messages::deliver(const Envelope& envelope, Payload<std::byte>&& data) {
  if (ReceiveRequest* const receive = mailbox_.take_receive(envelope.key))
    receive->take(envelope, std::move(data));
  else
    mailbox_.keep(*new Arrived(envelope, std::move(data)));
}

}  // namespace kaon::ampi
