// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/exchange/bundle.hpp"

#include <cstring>
#include <new>

#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {
namespace {

// What of a message travels: all but the link and the function, which the receiver knows from the entry.
constexpr std::size_t kSkipped = offsetof(Work, priority);
static_assert(sizeof(Bundle) <= Pool::kMaxSmall);

std::byte* bytes_of(Message& message) { return reinterpret_cast<std::byte*>(&message) + kSkipped; }

constexpr std::size_t rounded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

bool is_plain(const Work& work) {
  return (work.flags & kIsMessage) && static_cast<const Message&>(work).entry->is_plain;
}

Work* oldest_first(Work* newest) {
  Work* oldest = nullptr;
  while (newest != nullptr) {
    Work* next = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = next;
  }
  return oldest;
}

// Every compiler that we know supports this for a class with a base of plain members.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
constexpr std::size_t kEntry = offsetof(Message, entry) - kSkipped;
#pragma GCC diagnostic pop

const EntryRecord* entry_at(const std::byte* bytes) {
  const EntryRecord* entry = nullptr;
  std::memcpy(&entry, bytes + kEntry, sizeof(void*));
  return entry;
}

void open(Work& work, Pe&) {
  auto& bundle = static_cast<Bundle&>(work);
  Scheduler& here = this_scheduler();
  Pool& pool = here.pool();
  for (const std::byte *at = bundle.bytes, *end = at + bundle.used; at < end;) {
    const EntryRecord& entry = *entry_at(at);
    const std::size_t bytes = entry.message_bytes - kSkipped;
    auto& message = *static_cast<Message*>(pool.allocate(entry.message_bytes));
    std::memcpy(bytes_of(message), at, bytes);
    message.run = entry.invoke;
    message.home = pool.home();
    here.enqueue(message);
    at += rounded(bytes);
  }
  pool.release_to(bundle.home, &bundle, sizeof(Bundle));
}

class Bundler {
 public:
  explicit Bundler(Pool& pool) : pool_(pool) {}

  void add(Work& work) {
    if (is_plain(work)) return add_plain(static_cast<Message&>(work));
    filling_ = nullptr;
    link(work);
  }
  WorkChain chain() const { return chain_; }

 private:
  void add_plain(Message& message) {
    const std::size_t bytes = message.entry->message_bytes - kSkipped;
    if (filling_ == nullptr || filling_->used + rounded(bytes) > Bundle::kBytes) begin();
    std::memcpy(filling_->bytes + filling_->used, bytes_of(message), bytes);
    filling_->used += static_cast<std::uint32_t>(rounded(bytes));
    pool_.release_to(message.home, &message, message.entry->message_bytes);
  }
  void begin() {
    filling_ = static_cast<Bundle*>(pool_.allocate(sizeof(Bundle)));
    filling_->run = &open;
    filling_->priority = 0;
    filling_->flags = kOpensItself;
    filling_->home = pool_.home();
    filling_->used = 0;
    link(*filling_);
  }
  void link(Work& work) {
    work.next = chain_.newest;
    if (chain_.newest == nullptr) chain_.oldest = &work;
    chain_.newest = &work;
  }

  Pool& pool_;
  Bundle* filling_ = nullptr;
  WorkChain chain_;
};

}  // namespace

WorkChain bundle(Work* newest, Pool& pool) {
  Bundler bundler(pool);
  for (Work* work = oldest_first(newest); work != nullptr;) {
    Work* next = work->next;
    bundler.add(*work);
    work = next;
  }
  return bundler.chain();
}

}  // namespace kaon::runtime
