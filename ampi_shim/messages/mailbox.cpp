// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/mailbox.hpp"

#include "kaon/ampi_shim/messages/probes.hpp"
#include "kaon/ampi_shim/messages/receive_request.hpp"

namespace kaon::ampi {

Mailbox::~Mailbox() {
  while (oldest_ != nullptr) {
    Arrived* const message = oldest_;
    oldest_ = message->newer;
    delete message;
  }
}

// --- receives

ReceiveRequest* Mailbox::take_receive(const MatchKey& key) {
  if (first_wild_ == nullptr) [[likely]] {
    QueueNode* const found = receives_.find(key);
    if (found != nullptr) receives_.remove(*found);
    return static_cast<ReceiveRequest*>(found);
  }
  return take_receive_of_any(key);
}

ReceiveRequest* Mailbox::take_receive_of_any(const MatchKey& key) {
  auto* exact = static_cast<ReceiveRequest*>(receives_.find(key));
  ReceiveRequest* wild = first_wild_;
  while (wild != nullptr && !takes(wild->wanted(), key)) wild = wild->next_wild;
  if (exact == nullptr && wild == nullptr) return nullptr;
  ReceiveRequest* const first = wild == nullptr || (exact != nullptr && exact->number < wild->number) ? exact : wild;
  withdraw(*first);
  return first;
}

void Mailbox::post(ReceiveRequest& receive) {
  receive.number = posted_++;
  receive.queue_key = receive.wanted();
  if (!has_wildcard(receive.wanted())) return receives_.add(receive);
  receive.before_wild = last_wild_;
  receive.next_wild = nullptr;
  (last_wild_ != nullptr ? last_wild_->next_wild : first_wild_) = &receive;
  last_wild_ = &receive;
}

void Mailbox::withdraw(ReceiveRequest& receive) {
  if (!has_wildcard(receive.wanted())) return receives_.remove(receive);
  (receive.before_wild != nullptr ? receive.before_wild->next_wild : first_wild_) = receive.next_wild;
  (receive.next_wild != nullptr ? receive.next_wild->before_wild : last_wild_) = receive.before_wild;
}

// --- messages

void Mailbox::keep(Arrived& message) {
  messages_.add(message);
  message.older = newest_;
  message.newer = nullptr;
  (newest_ != nullptr ? newest_->newer : oldest_) = &message;
  newest_ = &message;
  for (ProbeWait** link = &probes_; *link != nullptr;) {
    ProbeWait& probe = **link;
    if (!takes(probe.wanted(), message.envelope().key)) {
      link = &probe.next;
      continue;
    }
    *link = probe.next;
    probe.has_come();
  }
}

Arrived* Mailbox::find_kept(const MatchKey& wanted) const {
  if (!has_wildcard(wanted)) return static_cast<Arrived*>(messages_.find(wanted));
  Arrived* message = oldest_;
  while (message != nullptr && !takes(wanted, message->envelope().key)) message = message->newer;
  return message;
}

Arrived* Mailbox::find_sent(int from, std::uint32_t sequence) const {
  const auto is_it = [&](const Arrived& message) {
    const Envelope& envelope = message.envelope();
    return message.sender() == nullptr && envelope.from == from && envelope.sequence == sequence;
  };
  Arrived* message = oldest_;
  while (message != nullptr && !is_it(*message)) message = message->newer;
  return message;
}

void Mailbox::take(Arrived& message) {
  messages_.remove(message);
  (message.older != nullptr ? message.older->newer : oldest_) = message.newer;
  (message.newer != nullptr ? message.newer->older : newest_) = message.older;
}

// --- probes

void Mailbox::add(ProbeWait& probe) {
  probe.next = probes_;
  probes_ = &probe;
}

void Mailbox::remove(ProbeWait& probe) {
  for (ProbeWait** link = &probes_; *link != nullptr; link = &(*link)->next) {
    if (*link != &probe) continue;
    *link = probe.next;
    return;
  }
}

}  // namespace kaon::ampi
