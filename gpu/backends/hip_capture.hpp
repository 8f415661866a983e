// SPDX-License-Identifier: Apache-2.0
#pragma once
// Libraries beside us, which capture graphs and make other devices current: HIP's half. Included by api.hpp alone.
namespace kaon::gpu::vendor {

using CaptureMode = hipStreamCaptureMode;
inline constexpr CaptureMode kForbidsNothing = hipStreamCaptureModeRelaxed;
inline Status exchange_capture_mode(CaptureMode* mode) { return hipThreadExchangeStreamCaptureMode(mode); }

inline Status is_capturing(Stream stream, bool* is) {
  hipStreamCaptureStatus state = hipStreamCaptureStatusNone;
  const Status status = hipStreamIsCapturing(stream, &state);
  *is = status == kSuccess && state != hipStreamCaptureStatusNone;
  return status == hipErrorStreamCaptureImplicit ? kSuccess : status;
}

/// nullptr: HIP is asked for the device's number each time.
inline const void* current_context() { return nullptr; }

}  // namespace kaon::gpu::vendor
