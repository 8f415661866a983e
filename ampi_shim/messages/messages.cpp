// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/messages.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "kaon/ampi_shim/messages/receive_request.hpp"
#include "kaon/ampi_shim/messages/remote.hpp"

namespace kaon::ampi {
namespace {

Payload<std::byte> payload_of(const std::byte* data, std::size_t bytes) {
  if (bytes == 0) return {};
  auto copy = Payload<std::byte>::uninitialized(bytes);
  std::memcpy(copy.view().data(), data, bytes);
  return copy;
}

}  // namespace

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

std::uint32_t Messages::next_sequence(int to) { return counts_[to].sent++; }

void Messages::arrive(const Envelope& envelope, Payload<std::byte>&& data) {
  std::uint32_t& taken = counts_[envelope.from].taken;
  if (envelope.sequence != taken) {
    early_.emplace(std::pair(envelope.from, envelope.sequence), new Arrived(envelope, std::move(data)));
    return;
  }
  ++taken;
  deliver(envelope, std::move(data));
  if (!early_.empty()) deliver_early(envelope.from);
}

void Messages::arrive(const Envelope& envelope, const std::byte* data) {
  std::uint32_t& taken = counts_[envelope.from].taken;
  ReceiveRequest* const receive = envelope.sequence == taken ? mailbox_.take_receive(envelope.key) : nullptr;
  if (receive == nullptr) return arrive(envelope, payload_of(data, envelope.bytes));
  ++taken;
  receive->take(envelope, data);
  if (!early_.empty()) deliver_early(envelope.from);
}

void Messages::deliver_early(int from) {
  for (;;) {
    std::uint32_t& taken = counts_[from].taken;
    const auto found = early_.find({from, taken});
    if (found == early_.end()) return;
    const std::unique_ptr<Arrived> message(found->second);
    early_.erase(found);
    ++taken;
    deliver(message->envelope(), std::move(message->data()));
  }
}

void Messages::give_back(const Recall& recall) {
  const bool has_come = static_cast<std::int32_t>(counts_[recall.from].taken - recall.sequence) > 0;
  if (!has_come) {
    recalls_.push_back(recall);
    return;
  }
  const std::unique_ptr<Arrived> message(mailbox_.find_sent(recall.from, recall.sequence));
  if (message != nullptr) mailbox_.take(*message);
  answer_recall(rank_, recall, message != nullptr);
}

bool Messages::is_recalled(const Envelope& envelope) {
  const auto found = std::find_if(recalls_.begin(), recalls_.end(), [&](const Recall& recall) {
    return recall.from == envelope.from && recall.sequence == envelope.sequence;
  });
  if (found == recalls_.end()) return false;
  answer_recall(rank_, *found, true);
  recalls_.erase(found);
  return true;
}

void Messages::deliver(const Envelope& envelope, Payload<std::byte>&& data) {
  if (!recalls_.empty() && is_recalled(envelope)) {
    const Payload<std::byte> dropped(std::move(data));
    return;
  }
  if (ReceiveRequest* const receive = mailbox_.take_receive(envelope.key))
    receive->take(envelope, std::move(data));
  else
    mailbox_.keep(*new Arrived(envelope, std::move(data)));
}

}  // namespace kaon::ampi
