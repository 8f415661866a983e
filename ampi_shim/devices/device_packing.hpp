// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>

#include "kaon/ampi_shim/datatypes/copying.hpp"
#include "kaon/ampi_shim/datatypes/datatype.hpp"
#include "kaon/ampi_shim/devices/program_device.hpp"
#include "kaon/gpu/strided_copy.hpp"

namespace kaon::ampi {

/// Elements of a program in memory of the host or of a device.
struct ProgramData {
  void* data = nullptr;
  MPI_Count count = 0;
  const Datatype* type = nullptr;  // nullptr: bytes
  bool is_on_device = false;

  bool is_run() const { return type == nullptr || type->is_run(count); }
  /// Where they begin, when they are one run.
  std::byte* run() const { return static_cast<std::byte*>(type != nullptr ? type->run_at(data) : data); }
};

/// A layout as runs at regular places, if it is that: of vectors of vectors, of subarrays.
std::optional<gpu::StridedBytes> strided_bytes(const void* memory, const RepeatedLayout& layout);

/// Gives the stream what packs the first `bytes` of elements on a device into memory of the device: a kernel where the
/// runs are at regular places, else a copy for each run.
void pack_on_device(ProgramDevice& program, gpu::Stream& stream, std::byte* packed, const ProgramData& from,
                    std::size_t bytes);
/// The way back.
void unpack_on_device(ProgramDevice& program, gpu::Stream& stream, const ProgramData& to, const std::byte* packed,
                      std::size_t bytes);
void copy_on_stream(gpu::Stream& stream, std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace kaon::ampi
