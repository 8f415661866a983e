// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/shared_mapping.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
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

[[noreturn]] void throw_not_opened(const SharedPurpose& purpose, const std::string& path, const char* why) {
  throw UsageError(
      fmt::format("the memory {} cannot be opened ({}: {}). Run all processes of a host as one user and where they see "
                  "each other in "
                  "/proc (containers: one namespace of process numbers), or {}",
                  purpose.has, path, why, purpose.where_unknown));
}

}  // namespace

// Each delegates first: when mapping throws, the destructor runs and gives back what there is.
SharedMapping::SharedMapping(Driver& driver, const SharedPurpose& purpose, std::size_t bytes)
    : SharedMapping(driver, purpose, bytes, Unmapped{}) {
  own_descriptor_ = memfd_create(purpose.name, MFD_CLOEXEC);
  if (own_descriptor_ < 0 || ftruncate(own_descriptor_, static_cast<off_t>(bytes)) != 0)
    throw_no_memory(std::strerror(errno));
  map(own_descriptor_);
  address_ = {static_cast<std::int32_t>(getpid()), own_descriptor_};
}

SharedMapping::SharedMapping(Driver& driver, const SharedPurpose& purpose, std::size_t bytes, Address address)
    : SharedMapping(driver, purpose, bytes, Unmapped{}) {
  address_ = address;
  const std::string path = fmt::format("/proc/{}/fd/{}", address.process, address.descriptor);
  const Descriptor opened(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (opened.number() < 0) throw_not_opened(purpose, path, std::strerror(errno));
  struct stat facts {};
  if (fstat(opened.number(), &facts) != 0 || static_cast<std::size_t>(facts.st_size) != bytes)
    throw_not_opened(purpose, path, "it is something else; the number of the process may mean another one here");
  map(opened.number());
}

void SharedMapping::map(int descriptor) {
  void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) throw_no_memory(std::strerror(errno));
  memory_ = static_cast<std::byte*>(memory);
  if (!purpose_.is_pinned) return;
  is_pinned_ = driver_.pin(memory_, bytes_);
  if (!is_pinned_) throw_no_memory("the device's driver cannot pin it");
}

void SharedMapping::throw_no_memory(const char* why) const {
  throw OutOfMemory(fmt::format(
      "{} KiB of shared host memory {} cannot be had: {}. Raise the limit of locked or of all memory of this "
      "process, or {}",
      bytes_ >> 10, purpose_.to, why, purpose_.without));
}

SharedMapping::~SharedMapping() {
  if (is_pinned_) driver_.unpin(memory_);
  if (memory_ != nullptr) munmap(memory_, bytes_);
  if (own_descriptor_ >= 0) close(own_descriptor_);
}

}  // namespace kaon::gpu
