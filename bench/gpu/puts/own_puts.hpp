// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "bench/gpu/puts/floor_puts.hpp"
#include "bench/gpu/puts/puts.kernels.hpp"

namespace put_bench {

/// How Kaon's puts are started.
enum class Way : std::uint8_t { direct, ring, host_ring };

/// The segments of a receiver, or the word of a sender.
struct Offer {
  kaon::gpu::SegmentRange target, flags, answer;
  template <class Archive>
  void pup(Archive& archive) {
    archive(target, flags, answer);
  }
};

/// One on each of two PEs, whose devices differ: the first one sends, the other one receives. `puts` of `bytes` each.
class Player : public kaon::Chare<Player> {
 public:
  kaon::Task<Offer> prepare(std::uint64_t bytes, std::uint32_t puts);
  /// Before each of the measurements that follow, by both sides. The sender prepares its puts, before kernels run.
  kaon::Task<> clear();
  kaon::Task<> begin(Way way, Offer theirs, std::uint32_t count);
  /// Nanoseconds there and back, of `count` puts one after the other; 0: no answer came.
  kaon::Task<std::vector<std::uint32_t>> post(std::uint32_t count);
  /// Returns the count.
  kaon::Task<std::uint32_t> flood(std::uint32_t count);
  /// How many came wrong or not at all.
  kaon::Task<std::uint32_t> answer(Offer theirs, std::uint32_t count);
  /// Times at which they came; 0: it did not.
  kaon::Task<std::vector<unsigned long long>> note_times(std::uint32_t count);

 private:
  std::vector<kaon::gpu::Put> puts_to(kaon::gpu::SegmentTable& table, const Offer& theirs) const;

  std::uint64_t bytes_ = 0;
  std::uint32_t puts_ = 0;
  kaon::gpu::Stream stream_;
  kaon::gpu::Buffer<unsigned char> memory_;
  kaon::gpu::Buffer<std::uint32_t> flags_, answer_;
  kaon::gpu::Pinned<std::uint32_t> ns_;
  std::optional<kaon::gpu::PreparedPuts> list_;
  void* direct_ = nullptr;  // a kernel that is prepared
};

}  // namespace put_bench
