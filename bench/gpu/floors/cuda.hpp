// SPDX-License-Identifier: Apache-2.0
// CUDA as the floors use it: each call checked, each thing freed. A failure throws std::runtime_error.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace kaon::bench {

void check(cudaError_t status, const char* what);

// 0 when there is no driver.
int visible_devices();

// Lets each of the first `devices` reach the memory of the others.
void connect_peers(int devices);

// Memory of one device.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(int device, std::size_t bytes);
  DeviceMemory(DeviceMemory&& other) noexcept : memory_(std::exchange(other.memory_, nullptr)) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~DeviceMemory() { cudaFree(memory_); }

  void* data() const { return memory_; }
  double* doubles() const { return static_cast<double*>(memory_); }

 private:
  void* memory_ = nullptr;
};

// A stream of one device; whoever gives it work has made that device its own.
class Stream {
 public:
  explicit Stream(int device);
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&&) = delete;
  ~Stream();
  operator cudaStream_t() const { return stream_; }
  void wait() const { check(cudaStreamSynchronize(stream_), "wait for a stream"); }
  void wait_for(cudaEvent_t event) const { check(cudaStreamWaitEvent(stream_, event, 0), "let a stream wait"); }

 private:
  cudaStream_t stream_ = nullptr;
};

// A place in a stream of one device.
class Event {
 public:
  explicit Event(int device);
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&&) = delete;
  ~Event();
  operator cudaEvent_t() const { return event_; }
  void record(cudaStream_t stream) const { check(cudaEventRecord(event_, stream), "record an event"); }

 private:
  cudaEvent_t event_ = nullptr;
};

double median(std::vector<double> values);

// Milliseconds that the stream takes for `work`, which it is given by the function: the median of several, after one
// that does not count.
double time_ms(const Stream& stream, int device, int repetitions, const std::function<void()>& work);

}  // namespace kaon::bench
