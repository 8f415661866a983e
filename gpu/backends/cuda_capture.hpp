// SPDX-License-Identifier: Apache-2.0
#pragma once
// Libraries beside us, which capture graphs and make other devices current: CUDA's half. Included by api.hpp alone.
namespace kaon::gpu::vendor {

/// By how much a capture on any thread forbids calls of this one; what it was before comes back.
using CaptureMode = cudaStreamCaptureMode;
inline constexpr CaptureMode kForbidsNothing = cudaStreamCaptureModeRelaxed;
inline Status exchange_capture_mode(CaptureMode* mode) { return cudaThreadExchangeStreamCaptureMode(mode); }

/// Sets `*is` to true if work given to the stream becomes part of a graph, else to false.
inline Status is_capturing(Stream stream, bool* is) {
  cudaStreamCaptureStatus state = cudaStreamCaptureStatusNone;
  const Status status = cudaStreamIsCapturing(stream, &state);
  *is = status == kSuccess && state != cudaStreamCaptureStatusNone;
  return status == cudaErrorStreamCaptureImplicit ? kSuccess : status;  // the default stream, while another captures
}

/// The current context of this thread: a different value for each device, nullptr if there is none. Takes none of the
/// locks that get_device() takes.
inline const void* current_context() {
  using Ask = CUresult(CUcontext*);
  static Ask* const ask = driver_function<Ask>("cuCtxGetCurrent");
  CUcontext context = nullptr;
  return ask != nullptr && ask(&context) == CUDA_SUCCESS ? context : nullptr;
}

}  // namespace kaon::gpu::vendor
