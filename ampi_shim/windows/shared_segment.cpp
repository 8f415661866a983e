// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/shared_segment.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"

namespace kaon::ampi {
namespace {

[[noreturn]] void throw_no_segment(std::size_t bytes, int error) {
  throw MpiFault(MPI_ERR_NO_MEM, "there are no " + std::to_string(bytes) + " bytes of shared memory for the window: " +
                                     std::strerror(error) + "; /dev/shm or the limit of memory is too small");
}

/// An open file, closed at the end.
class OpenFile {
 public:
  OpenFile(const std::string& path, int flags) : number_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

void SharedSegment::make_file(const std::string& path, std::size_t bytes) {
  const OpenFile file(path, O_RDWR | O_CREAT | O_EXCL);
  if (file.number() < 0) throw_no_segment(bytes, errno);
  if (const int error = posix_fallocate(file.number(), 0, static_cast<off_t>(bytes)); error != 0) {
    remove_file(path);
    throw_no_segment(bytes, error);
  }
}

void SharedSegment::remove_file(const std::string& path) {
  if (!path.empty()) unlink(path.c_str());  // what stays goes with the folder
}

SharedSegment::SharedSegment(const std::string& path, std::size_t bytes) : bytes_(bytes) {
  void* memory = MAP_FAILED;
  if (path.empty()) {
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  } else {
    const OpenFile file(path, O_RDWR);
    if (file.number() < 0) throw_no_segment(bytes, errno);
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  }
  if (memory == MAP_FAILED) throw_no_segment(bytes, errno);
  memory_ = static_cast<std::byte*>(memory);
}

SharedSegment::~SharedSegment() { munmap(memory_, bytes_); }

}  // namespace kaon::ampi
