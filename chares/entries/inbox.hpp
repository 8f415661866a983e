// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/chares/entries/entry_traits.hpp"
#include "kaon/chares/entries/hashed_lists.hpp"
#include "kaon/chares/entries/key_hash.hpp"
#include "kaon/runtime/base/error.hpp"
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
      if constexpr (kHasKey)
        message_ = any_ ? inbox_.take_oldest() : inbox_.take(key_);
      else
        message_ = inbox_.take_oldest();
      return message_ != nullptr;
    }
    bool start(Waiter& waiter) {
      waiter_ = &waiter;
      inbox_.add_taker(*this);
      return false;
    }
    void give_up(Waiter&) noexcept { inbox_.remove_taker(*this); }
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
    std::uint64_t turn_ = 0;  // counts those who asked

   public:
    Links<Take> links;
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
    Take* taker = takers_of_any_;
    if constexpr (kHasKey) {
      const K& key = key_of(message);
      Take* const keyed = takers_.find(hash_of(key), [&](const Take& each) { return each.key_ == key; });
      if (keyed != nullptr && (taker == nullptr || keyed->turn_ < taker->turn_)) taker = keyed;
    }
    if (taker == nullptr) return keep(message);
    remove_taker(*taker);
    taker->message_ = &message;
    taker->waiter_->run(*taker->waiter_, this_pe());
  }

 private:
  struct Kept {  // a message that nobody has asked for, in two lists: all, and those whose keys have one hash
    Typed* message;
    Kept* older;
    Kept* newer = nullptr;
    Links<Kept> links{};
  };

  static const K& key_of(const Typed& message) { return std::get<0>(message.arguments).*Key; }

  void save(Writer& out) {
    out(static_cast<std::uint64_t>(size_));
    for (const Kept* kept = oldest_; kept != nullptr; kept = kept->newer) {
      out(kept->message->entry->id);
      MessageFunctions<M>::pack(*kept->message, out);
    }
    if (!out.collects_payloads()) is_archived_ = true;
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
    if constexpr (kHasKey) by_hash_.add(hash_of(key_of(message)), *kept);
  }

  Typed& unlink(Kept& kept) {
    if constexpr (kHasKey) by_hash_.remove(kept);
    (kept.older != nullptr ? kept.older->newer : oldest_) = kept.newer;
    (kept.newer != nullptr ? kept.newer->older : newest_) = kept.older;
    --size_;
    Typed& message = *kept.message;
    this_scheduler().pool().release(&kept, sizeof(Kept));
    return message;
  }

  Typed* take(const K& key) {
    Kept* const kept = by_hash_.find(hash_of(key), [&](const Kept& each) { return key_of(*each.message) == key; });
    return kept != nullptr ? &unlink(*kept) : nullptr;
  }

  Typed* take_oldest() { return oldest_ != nullptr ? &unlink(*oldest_) : nullptr; }

  void discard(Kept& kept) { release(unlink(kept)); }

  void add_taker(Take& taker) {
    taker.turn_ = turns_++;
    if constexpr (kHasKey)
      if (!taker.any_) return takers_.add(hash_of(taker.key_), taker);
    Ring<Take>::add(takers_of_any_, taker);
  }
  void remove_taker(Take& taker) noexcept {
    if (taker.links.next == nullptr) return;  // it was given one
    if constexpr (kHasKey)
      if (!taker.any_) return takers_.remove(taker);
    Ring<Take>::remove(takers_of_any_, taker);
  }

  PostRule rule_;
  Kept* oldest_ = nullptr;
  Kept* newest_ = nullptr;
  std::size_t size_ = 0;
  bool is_archived_ = false;
  HashedLists<Kept> by_hash_;
  // Tasks that wait, by the hash of the key that they ask for, and those that take any message.
  HashedLists<Take> takers_;
  Take* takers_of_any_ = nullptr;
  std::uint64_t turns_ = 0;
};

}  // namespace kaon::chares
