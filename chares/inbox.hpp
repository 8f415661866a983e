// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/entry_traits.hpp"
#include "kaon/chares/key_hash.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/memory/number_map.hpp"
#include "kaon/runtime/messages/entry_name.hpp"
#include "kaon/runtime/messages/typed_record.hpp"
#include "kaon/runtime/payloads/payload.hpp"
#include "kaon/runtime/work/awaitable.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::chares {

/// Stands for "no key": such an inbox gives its messages in order of arrival.
inline constexpr std::nullptr_t kNoKey = nullptr;

namespace inbox {

template <class M, auto Key>
struct KeyOf {
  using type = std::remove_cvref_t<decltype(std::declval<M&>().*Key)>;
};
template <class M>
struct KeyOf<M, kNoKey> {
  using type = int;
};

/// For people.
template <class K>
std::string text_of_key(const K& key) {
  if constexpr (std::is_arithmetic_v<K>)
    return std::to_string(key);
  else if constexpr (std::is_convertible_v<const K&, std::string>)
    return std::string(key);
  else
    return "that it asked for";
}

/// Messages that inboxes of this thread destroyed without having been archived, since the last take.
void note_lost(std::size_t messages) noexcept;
std::size_t take_lost() noexcept;

/// Throws CorruptMessage.
const EntryRecord& record_of(std::uint32_t entry);

/// For people: the Inbox at this address, whose messages are of a type named so, in the chare that `waiter` is an entry
/// of.
std::string name_of(const void* inbox, const Waiter* waiter, const std::string& message_type);

}  // namespace inbox

/// An entry that waits to be awaited. A message of type M that is sent to it stays until a task of its chare asks for
/// it: `when(key)` for one whose member `Key` has that value, `next()` for the oldest. A message goes to one task.
///
///   struct Halo { int iteration; kaon::Payload<double> plane; };
///   kaon::Inbox<Halo, &Halo::iteration> halos;            // a public member of the chare
///   Halo halo = co_await halos.when(iteration);           // in one of its entries
///
/// The optional post rule says where the payloads of an arriving message go.
template <class M, auto Key = kNoKey>
class Inbox {
  static constexpr bool kHasKey = !std::is_null_pointer_v<decltype(Key)>;
  using K = typename inbox::KeyOf<M, Key>::type;
  using Typed = TypedMessage<M>;

 public:
  using PostRule = std::function<Landing(const M&)>;

  Inbox() = default;
  Inbox(PostRule rule) : rule_(std::move(rule)) {}  // NOLINT: halos{[this](const Halo&) {...}} is meant to work
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;
  ~Inbox() {
    if (size_ > 0 && !is_archived_) inbox::note_lost(size_);
    while (oldest_ != nullptr) discard(*oldest_);
  }

  /// The wait for a message; at most one result for each await.
  class Take {
   public:
    static constexpr bool kIsCounted = false, kIsFromOutside = false;
    Take(Inbox& inbox, K key, bool any) : inbox_(inbox), key_(std::move(key)), any_(any) {}
    Take(const Take&) = delete;
    Take& operator=(const Take&) = delete;
    ~Take() {
      if (message_ != nullptr) release(*message_);
    }
    bool is_ready() {
      message_ = any_ ? inbox_.take_oldest() : inbox_.take(key_);
      return message_ != nullptr;
    }
    bool start(Waiter& waiter) {
      waiter_ = &waiter;
      inbox_.add(*this);
      return false;
    }
    void give_up(Waiter&) noexcept { inbox_.forget(*this); }
    M take() {
      Typed& message = *std::exchange(message_, nullptr);
      M value = std::move(std::get<0>(message.arguments));
      release(message);
      return value;
    }
    std::string describe() const {
      return "for a message" + (any_ ? std::string() : " with key " + inbox::text_of_key(key_)) + " in " +
             inbox::name_of(&inbox_, waiter_, readable_type(__PRETTY_FUNCTION__, "M"));
    }

   private:
    friend class Inbox;
    Inbox& inbox_;
    K key_;
    bool any_;
    Typed* message_ = nullptr;
    Waiter* waiter_ = nullptr;
    Take* next_ = nullptr;
  };

  /// The oldest message with this key.
  Awaitable<Take> when(K key)
    requires kHasKey
  {
    return Awaitable<Take>(*this, std::move(key), false);
  }
  /// The oldest message.
  Awaitable<Take> next() { return Awaitable<Take>(*this, K{}, true); }

  std::size_t size() const { return size_; }

  /// A chare that moves takes the messages along that nobody has asked for; their payloads too.
  template <class Archive>
  void pup(Archive& archive) {
    if constexpr (Archive::is_saving)
      save(archive);
    else
      load(archive);
  }

  bool has_rule() const { return static_cast<bool>(rule_); }
  Landing landing(const M& message) const { return rule_(message); }

  /// Takes a message that has arrived. (The runtime's.)
  void deliver(Typed& message) {
    Take** at = &waiting_;
    while (*at != nullptr && !(*at)->any_ && !has_key(message, (*at)->key_)) at = &(*at)->next_;
    if (*at == nullptr) return keep(message);
    Take& taker = **at;
    *at = taker.next_;
    taker.message_ = &message;
    taker.waiter_->run(*taker.waiter_, this_pe());
  }

 private:
  struct Kept {  // a message that nobody has asked for, in two lists: all, and those of its key
    Typed* message;
    Kept* older;
    Kept* newer = nullptr;
    Kept* next_of_key = nullptr;
    // Of the oldest with its key:
    Kept* newest_of_key = nullptr;
    Kept* next_of_hash = nullptr;  // the oldest with another key that has the same hash
  };

  static bool has_key([[maybe_unused]] const Typed& message, [[maybe_unused]] const K& key) {
    if constexpr (kHasKey)
      return std::get<0>(message.arguments).*Key == key;
    else
      return false;
  }

  void save(Writer& out) {
    out(static_cast<std::uint64_t>(size_));
    for (const Kept* kept = oldest_; kept != nullptr; kept = kept->newer) {
      out(kept->message->entry->id);
      MessageFunctions<M>::pack(*kept->message, out);
    }
    is_archived_ = true;
  }
  void load(Reader& in) {
    std::uint64_t count = 0;
    for (in(count); count > 0; --count) {
      std::uint32_t entry = 0;
      in(entry);
      const EntryRecord& record = inbox::record_of(entry);
      if (record.pack != &MessageFunctions<M>::pack)
        throw CorruptMessage("an inbox came with messages of another type");
      keep(static_cast<Typed&>(*MessageFunctions<M>::unpack(record, in, this_scheduler().pool())));
    }
  }

  static void release(Typed& message) noexcept {
    if (message.flags & kLanded) free_landing(message);
    MessageFunctions<M>::destroy(message, this_scheduler().pool());
  }

  void keep(Typed& message) {
    auto* kept = new (this_scheduler().pool().allocate(sizeof(Kept))) Kept{&message, newest_};
    (newest_ != nullptr ? newest_->newer : oldest_) = kept;
    newest_ = kept;
    ++size_;
    if constexpr (kHasKey) add_to_key(*kept, std::get<0>(message.arguments).*Key);
  }

  void add_to_key(Kept& kept, const K& key) {
    const std::uint64_t hash = hash_of(key);
    Kept* const first = by_hash_.find(hash).value_or(nullptr);
    Kept* oldest = first;
    while (oldest != nullptr && !has_key(*oldest->message, key)) oldest = oldest->next_of_hash;
    if (oldest != nullptr) {
      oldest->newest_of_key = oldest->newest_of_key->next_of_key = &kept;
      return;
    }
    kept.newest_of_key = &kept;
    kept.next_of_hash = first;
    by_hash_.set(hash, &kept);
  }

  /// The oldest with this key, out of the list of that; nullptr: there is none.
  Kept* take_of_key(const K& key) {
    const std::uint64_t hash = hash_of(key);
    Kept* before = nullptr;
    Kept* oldest = by_hash_.find(hash).value_or(nullptr);
    while (oldest != nullptr && !has_key(*oldest->message, key)) {
      before = oldest;
      oldest = oldest->next_of_hash;
    }
    if (oldest == nullptr) return nullptr;
    Kept* follower = oldest->next_of_hash;
    if (Kept* next = oldest->next_of_key) {
      next->newest_of_key = oldest->newest_of_key;
      next->next_of_hash = follower;
      follower = next;
    }
    if (before != nullptr)
      before->next_of_hash = follower;
    else if (follower != nullptr)
      by_hash_.set(hash, follower);
    else
      by_hash_.erase(hash);
    return oldest;
  }

  /// Out of the list of all.
  Typed& unlink(Kept& kept) {
    (kept.older != nullptr ? kept.older->newer : oldest_) = kept.newer;
    (kept.newer != nullptr ? kept.newer->older : newest_) = kept.older;
    --size_;
    Typed& message = *kept.message;
    this_scheduler().pool().release(&kept, sizeof(Kept));
    return message;
  }

  Typed* take(const K& key) {
    Kept* kept = take_of_key(key);
    return kept != nullptr ? &unlink(*kept) : nullptr;
  }

  Typed* take_oldest() {
    if (oldest_ == nullptr) return nullptr;
    if constexpr (kHasKey)
      return take(std::get<0>(oldest_->message->arguments).*Key);  // the oldest of all is the oldest of its key
    else
      return &unlink(*oldest_);
  }

  void discard(Kept& kept) { release(unlink(kept)); }

  void add(Take& taker) {
    Take** end = &waiting_;
    while (*end != nullptr) end = &(*end)->next_;
    *end = &taker;
  }
  void forget(Take& taker) {
    Take** at = &waiting_;
    while (*at != nullptr && *at != &taker) at = &(*at)->next_;
    if (*at != nullptr) *at = taker.next_;
  }

  PostRule rule_;
  Kept* oldest_ = nullptr;
  Kept* newest_ = nullptr;
  std::size_t size_ = 0;
  bool is_archived_ = false;
  NumberMap<Kept*> by_hash_;  // the oldest with a key of that hash, and by them those with others
  Take* waiting_ = nullptr;   // tasks, in the order in which they asked
};

}  // namespace kaon::chares
