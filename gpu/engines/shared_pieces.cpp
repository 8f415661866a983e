// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/engines/shared_pieces.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>

#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {
namespace {

class Descriptor {  // closed at the end
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void throw_no_memory(std::size_t bytes, const std::string& why) {
  throw OutOfMemory(
      fmt::format("{} MiB of shared host memory to stage device memory in cannot be had: {}. Raise the "
                  "limit of locked or of all memory of this process, or send with --transport direct",
                  bytes >> 20, why));
}

[[noreturn]] void throw_not_opened(const std::string& path, const char* why) {
  throw UsageError(fmt::format(
      "the memory in which a process of this host stages device memory cannot be opened ({}: {}). Run all processes of "
      "a host as one user and where they see each other in /proc (containers: one namespace of process numbers), or "
      "set KAON_STAGE_THROUGH=network",
      path, why));
}

}  // namespace

// Each delegates first: when mapping throws, the destructor runs and gives back what there is.
SharedPieces::SharedPieces(Driver& driver) : SharedPieces(driver, Unmapped{}) {
  own_descriptor_ = memfd_create("kaon-staging", MFD_CLOEXEC);
  if (own_descriptor_ < 0 || ftruncate(own_descriptor_, static_cast<off_t>(kBytes)) != 0)
    throw_no_memory(kBytes, std::strerror(errno));
  map(own_descriptor_);
  new (memory_) Header{};
  address_ = {static_cast<std::int32_t>(getpid()), own_descriptor_};
}

SharedPieces::SharedPieces(Driver& driver, Address address) : SharedPieces(driver, Unmapped{}) {
  address_ = address;
  const std::string path = fmt::format("/proc/{}/fd/{}", address.process, address.descriptor);
  const Descriptor opened(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (opened.number() < 0) throw_not_opened(path, std::strerror(errno));
  struct stat facts {};
  if (fstat(opened.number(), &facts) != 0 || static_cast<std::size_t>(facts.st_size) != kBytes)
    throw_not_opened(path, "it is something else; the number of the process may mean another one here");
  map(opened.number());
}

void SharedPieces::map(int descriptor) {
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) throw_no_memory(kBytes, std::strerror(errno));
  memory_ = static_cast<std::byte*>(memory);
  is_pinned_ = driver_.pin(memory_, kBytes);
  if (!is_pinned_) throw_no_memory(kBytes, "the device's driver cannot pin it");
}

SharedPieces::~SharedPieces() {
  if (is_pinned_) driver_.unpin(memory_);
  if (memory_ != nullptr) munmap(memory_, kBytes);
  if (own_descriptor_ >= 0) close(own_descriptor_);
}

std::optional<std::size_t> SharedPieces::take(std::size_t spared) {
  auto& states = header().states;
  std::size_t found = kPieces, free = 0;
  for (std::size_t piece = 0; piece < kPieces; ++piece) {
    // acquire, with give_back(): the reading of what the maker's device will write over is done
    if (states[piece].load(std::memory_order_acquire) != kFree) continue;
    found = piece;
    if (++free > spared) break;
  }
  if (free <= spared) return std::nullopt;
  states[found].store(kTaken, std::memory_order_relaxed);
  return found;
}

bool SharedPieces::has_free() const {
  // relaxed: take() looks again
  return std::any_of(header().states.begin(), header().states.end(),
                     [](const auto& state) { return state.load(std::memory_order_relaxed) == kFree; });
}

void SharedPieces::give_back(std::size_t piece) { header().states[piece].store(kFree, std::memory_order_release); }

bool SharedPieces::want(std::uint64_t transfer) {
  auto& wanted = header().wanted;
  return std::any_of(wanted.begin(), wanted.end(), [&](std::atomic<std::uint64_t>& word) {
    std::uint64_t none = 0;
    return word.compare_exchange_strong(none, transfer, std::memory_order_relaxed);
  });
}

}  // namespace kaon::gpu
