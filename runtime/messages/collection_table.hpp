// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"
#include "kaon/runtime/base/short_text.hpp"
#include "kaon/runtime/messages/message.hpp"

namespace kaon::runtime {

/// The chare_type of entries that run on collections of every kind.
inline constexpr char kAnyCollection = 0;

/// The part of an array or a group that one PE holds. The layer above defines what is in it.
class Collection {
 public:
  explicit Collection(const void* chare_type) : chare_type_(chare_type) {}
  virtual ~Collection() = default;
  /// Ends everything that is suspended in its elements, before any element goes.
  virtual void destroy_tasks() = 0;
  /// An element as a user names it. Takes no memory: it is also said of a crash.
  virtual void say_name(std::uint64_t element, ShortText& text) const = 0;
  /// Messages here that wait for an element to come: how many, and of some of them, until there are `most` lines, what
  /// they wait for.
  virtual std::uint64_t list_awaited(std::vector<std::string>& /*lines*/, std::size_t /*most*/) const { return 0; }
  /// The same of those whose element has neither come nor is known to be on its way.
  virtual std::uint64_t list_unclaimed(std::vector<std::string>& /*lines*/, std::size_t /*most*/) const { return 0; }
  std::string name_of(std::uint64_t element) const {
    ShortText text;
    say_name(element, text);
    return text.str();
  }

  /// True if an entry may run here; `chare_type` is that of its record.
  bool runs(const void* chare_type) const { return chare_type == chare_type_ || chare_type == &kAnyCollection; }

 private:
  const void* chare_type_;
};

/// The collections of one PE, by their numbers, and messages for those that it has yet to make. Numbers are never given
/// twice, so that an old name never means another collection; so they lie in pages, of which one that is over leaves a
/// bit.
class CollectionTable {
 public:
  /// From here on numbers are of collections that classes have, one each, whether anybody asked for them or not: the
  /// id of an entry of the class is added.
  static constexpr CollectionId kFirstOfClass = 1u << 26;

  CollectionTable() noexcept;
  CollectionTable(const CollectionTable&) = delete;
  CollectionTable& operator=(const CollectionTable&) = delete;
  ~CollectionTable();

  /// nullptr when this PE has not made it yet, or has it no longer.
  Collection* find(CollectionId id) const {
    const Found& found = found_[id % kFound];
    if (found.id == id) [[likely]]
      return found.collection;
    return look_up(id);
  }
  /// True if the collection was here and has been removed.
  bool was_removed(CollectionId id) const {
    const std::size_t page = id / kPage;
    if (page >= pages_.size()) return false;
    return is_over_[page] || (pages_[page] != nullptr && (pages_[page]->removed >> id % kPage & 1) != 0);
  }
  /// True if a collection has ever been made here.
  bool had_any() const { return !pages_.empty() || !of_classes_.empty(); }
  /// The messages that waited for it are returned, linked by `next` in the order of their coming. Throws CorruptMessage
  /// when one of them is for a collection of another kind.
  Work* add(CollectionId id, std::unique_ptr<Collection> collection);
  /// Keeps a message for a collection that this PE has yet to make. Throws CorruptMessage.
  void await(Message& message);
  /// Ends one that is here; its number leads to nothing from now on.
  void remove(CollectionId id);

  template <class Visit>
  void each(Visit visit) const {
    for (const auto& page : pages_)
      if (page != nullptr)
        for (const auto& collection : page->collections)
          if (collection != nullptr) visit(*collection);
    for (const auto& collection : of_classes_)
      if (collection != nullptr) visit(*collection);
  }
  /// Ends all collections; what waits for others is returned.
  std::vector<Work*> clear();

  /// Messages that were dropped because their elements had been deleted: their number, and a line for each of the
  /// first. It outlives the collections.
  struct Lost {
    /// Messages of one entry from one PE to one element.
    struct Line {
      const EntryRecord* entry;
      PeId source;
      CollectionId collection;
      std::uint64_t element;
      std::string text;
      std::uint64_t count = 1;
    };
    std::uint64_t count = 0;
    std::vector<Line> lines;  // the first ones
  };
  const Lost& lost() const { return lost_; }
  void record_lost(const Message& message, const Collection& collection);

 private:
  static constexpr CollectionId kMost = kFirstOfClass;  // of arrays
  static constexpr CollectionId kMostClasses = 1u << 20;
  static constexpr CollectionId kPage = 64;

  struct Page {
    std::array<std::unique_ptr<Collection>, kPage> collections;
    std::uint64_t removed = 0;  // a bit for each
  };
  /// A collection that was looked up; those of one program are few.
  struct Found {
    CollectionId id = kNoCollection;
    Collection* collection = nullptr;
  };
  static constexpr std::size_t kFound = 8;
  static constexpr std::size_t kMostLostLines = 20;

  static void check(CollectionId id);
  Collection* look_up(CollectionId id) const;
  std::unique_ptr<Collection>& place_of(CollectionId id);
  Page& page_of(CollectionId id);

  mutable std::array<Found, kFound> found_{};  // by number, modulo kFound
  std::vector<std::unique_ptr<Page>> pages_;   // nullptr: nothing of it is here
  std::vector<std::unique_ptr<Collection>> of_classes_;
  std::vector<bool> is_over_;         // all of the page has been here and was removed
  struct Awaited;                     // messages, by the number of the collection that they are for
  std::unique_ptr<Awaited> awaited_;  // nullptr: there are none
  Lost lost_;
};

}  // namespace kaon::runtime
