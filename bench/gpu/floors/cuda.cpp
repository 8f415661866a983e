// SPDX-License-Identifier: Apache-2.0
#include "bench/gpu/floors/cuda.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace kaon::bench {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw std::runtime_error(std::string("cannot ") + what + ": " + cudaGetErrorName(status) + ", " +
                           cudaGetErrorString(status));
}

int visible_devices() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) return 0;
  check(status, "count the devices");
  return count;
}

void connect_peers(int devices) {
  for (int device = 0; device < devices; ++device) {
    check(cudaSetDevice(device), "choose a device");
    for (int peer = 0; peer < devices; ++peer) {
      if (peer == device) continue;
      const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
      if (status != cudaErrorPeerAccessAlreadyEnabled) check(status, "reach the memory of a peer device");
      cudaGetLastError();  // the runtime keeps what was no mistake here
    }
  }
}

DeviceMemory::DeviceMemory(int device, std::size_t bytes) {
  check(cudaSetDevice(device), "choose a device");
  check(cudaMalloc(&memory_, bytes), "allocate device memory");
  check(cudaMemset(memory_, 0, bytes), "clear device memory");
  check(cudaDeviceSynchronize(), "clear device memory");  // streams that do not block go on at once
}

Stream::Stream(int device) {
  check(cudaSetDevice(device), "choose a device");
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "create a stream");
}

Stream::~Stream() {
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

Event::Event(int device) {
  check(cudaSetDevice(device), "choose a device");
  check(cudaEventCreate(&event_), "create an event");
}

Event::~Event() {
  if (event_ != nullptr) cudaEventDestroy(event_);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.at(values.size() / 2);
}

double time_ms(const Stream& stream, int device, int repetitions, const std::function<void()>& work) {
  const Event start(device), end(device);
  std::vector<double> times;
  for (int i = 0; i <= repetitions; ++i) {
    start.record(stream);
    work();
    end.record(stream);
    stream.wait();
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start, end), "read the time between two events");
    if (i > 0) times.push_back(static_cast<double>(ms));
  }
  return median(times);
}

}  // namespace kaon::bench
