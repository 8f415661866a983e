// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace kaon::ampi {

/// Memory of a window that the processes of a host map, zeros at first. It is a file in the run's folder of shared
/// memory until all have mapped it; without a folder, which a run of one process does not need, it is plain memory.
class SharedSegment {
 public:
  /// Makes the file with so many bytes, all of which are there from then on: otherwise a full file system would end the
  /// process at a store. Throws MpiFault with MPI_ERR_NO_MEM.
  static void make_file(const std::string& path, std::size_t bytes);
  static void remove_file(const std::string& path);

  /// Maps the file; an empty path is plain memory. Throws MpiFault.
  SharedSegment(const std::string& path, std::size_t bytes);
  SharedSegment(const SharedSegment&) = delete;
  SharedSegment& operator=(const SharedSegment&) = delete;
  ~SharedSegment();

  std::byte* data() const { return memory_; }

 private:
  std::size_t bytes_;
  std::byte* memory_ = nullptr;
};

}  // namespace kaon::ampi
