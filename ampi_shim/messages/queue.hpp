// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "kaon/ampi_shim/messages/envelope.hpp"

namespace kaon::ampi {

/// A node of a KeyedQueue.
struct QueueNode {
  MatchKey queue_key;
  QueueNode* next_in_bucket = nullptr;
  QueueNode* before_in_bucket = nullptr;
};

/// Nodes by key, those of one key in the order in which they came. It owns none. A few are one list that is walked;
/// more are hashed.
class KeyedQueue {
 public:
  KeyedQueue() = default;
  KeyedQueue(const KeyedQueue&) = delete;
  KeyedQueue& operator=(const KeyedQueue&) = delete;

  bool empty() const { return size_ == 0; }

  void add(QueueNode& node) {
    if (size_ > kMostInBucket * mask_ + kMostInBucket) [[unlikely]]
      grow();
    ++size_;
    append(node);
  }
  void remove(QueueNode& node) {
    Bucket& bucket = bucket_of(node.queue_key);
    (node.before_in_bucket != nullptr ? node.before_in_bucket->next_in_bucket : bucket.first) = node.next_in_bucket;
    (node.next_in_bucket != nullptr ? node.next_in_bucket->before_in_bucket : bucket.last) = node.before_in_bucket;
    --size_;
  }
  /// The oldest of this key; nullptr: there is none.
  QueueNode* find(const MatchKey& key) const {
    if (size_ == 0) return nullptr;
    QueueNode* node = buckets_[index_of(key)].first;
    while (node != nullptr && !(node->queue_key == key)) node = node->next_in_bucket;
    return node;
  }

 private:
  struct Bucket {
    QueueNode* first = nullptr;
    QueueNode* last = nullptr;
  };
  static constexpr std::size_t kGrowth = 8;  // a power of two
  static constexpr std::size_t kMostInBucket = 2;

  std::size_t index_of(const MatchKey& key) const {
    if (mask_ == 0) return 0;
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 by the golden ratio, which spreads numbers in a row
    const std::uint64_t parties =
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.source)) << 32 | static_cast<std::uint32_t>(key.tag);
    const std::uint64_t mixed = (parties ^ key.context * kOdd) * kOdd;
    return mixed >> 32 & mask_;
  }
  Bucket& bucket_of(const MatchKey& key) { return buckets_[index_of(key)]; }
  void append(QueueNode& node) {
    Bucket& bucket = bucket_of(node.queue_key);
    node.next_in_bucket = nullptr;
    node.before_in_bucket = bucket.last;
    (bucket.last != nullptr ? bucket.last->next_in_bucket : bucket.first) = &node;
    bucket.last = &node;
  }
  void grow() {
    const std::size_t count = mask_ + 1;
    const std::unique_ptr<Bucket[]> old = std::move(many_);
    const Bucket first = first_;
    many_ = std::make_unique<Bucket[]>(kGrowth * count);
    buckets_ = many_.get();
    mask_ = kGrowth * count - 1;
    for (std::size_t i = 0; i < count; ++i)
      for (QueueNode* node = old != nullptr ? old[i].first : first.first; node != nullptr;) {
        QueueNode* const next = node->next_in_bucket;
        append(*node);
        node = next;
      }
  }

  Bucket first_;
  Bucket* buckets_ = &first_;
  std::size_t mask_ = 0;  // of the buckets' number, a power of two
  std::size_t size_ = 0;
  std::unique_ptr<Bucket[]> many_;
};

}  // namespace kaon::ampi
