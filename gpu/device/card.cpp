// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/card.hpp"

#include <new>

namespace kaon::gpu {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kWordBytes = 64;  // of a page: a cache line, as streams of several PEs lie beside each other

Arena::Settings settings_of(const Driver& driver, FreeGate& gate, const DeviceDescription& device, int number,
                            std::size_t most_bytes) {
  return {.kind = Arena::Kind::device,
          .device = number,
          .is_emulated = driver.backend() == Backend::host,
          .most_bytes = most_bytes != 0 ? most_bytes : device.memory_bytes,
          .is_capped = most_bytes != 0,
          .gate = &gate};
}

}  // namespace

Card::Card(Driver& driver, RegionTable& regions, Arena& pinned, FreeGate& gate, int number, std::size_t most_bytes)
    : driver_(driver),
      regions_(regions),
      pinned_(pinned),
      gate_(gate),
      number_(number),
      description_(driver.describe(number)),
      memory_(driver, regions, settings_of(driver, gate, description_, number, most_bytes)),
      has_words_(driver.can_write_words(number)) {}

Card::~Card() {
  for (std::byte* page : words_) driver_.free_pinned(page);
}

StreamState& Card::add_stream() {
  const std::lock_guard hold(lock_);
  StreamState& stream = streams_.emplace_back();
  if (has_words_) stream.word = next_word();
  gate_.add(stream);
  return stream;
}

// nullptr without memory for it: then events do.
std::uint64_t* Card::next_word() {
  if (words_.empty() || words_used_ == kPageBytes / kWordBytes) {
    void* page = driver_.allocate_pinned(kPageBytes);
    if (page == nullptr) return nullptr;
    words_.push_back(static_cast<std::byte*>(page));
    words_used_ = 0;
  }
  return new (words_.back() + kWordBytes * words_used_++) std::uint64_t{0};
}

}  // namespace kaon::gpu
