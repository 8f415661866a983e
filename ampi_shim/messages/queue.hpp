// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/ampi_shim/messages/envelope.hpp"

namespace kaon::ampi {

/// What lies in a KeyedQueue.
struct QueueNode {
  MatchKey queue_key;
  QueueNode* next_in_bucket = nullptr;
  QueueNode* before_in_bucket = nullptr;
};

/// Nodes by key, those of one key in the order in which they came. It owns none.
class KeyedQueue {
 public:
  bool empty() const { return size_ == 0; }

  void add(QueueNode& node) {
    if (size_ >= 2 * buckets_.size()) grow();
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
  static constexpr std::size_t kFirstBuckets = 8;  // a power of two

  std::size_t index_of(const MatchKey& key) const {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 by the golden ratio, which spreads numbers in a row
    const std::uint64_t parties =
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.source)) << 32 | static_cast<std::uint32_t>(key.tag);
    const std::uint64_t mixed = (parties ^ key.context * kOdd) * kOdd;
    return mixed >> 32 & (buckets_.size() - 1);
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
    std::vector<Bucket> old(buckets_.empty() ? kFirstBuckets : 4 * buckets_.size());
    old.swap(buckets_);
    for (const Bucket& bucket : old)
      for (QueueNode* node = bucket.first; node != nullptr;) {
        QueueNode* const next = node->next_in_bucket;
        append(*node);
        node = next;
      }
  }

  std::vector<Bucket> buckets_;
  std::size_t size_ = 0;
};

}  // namespace kaon::ampi
