// SPDX-License-Identifier: Apache-2.0
#pragma once
// Libraries that capture graphs beside us: HIP's half. Included by api.hpp alone.
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

}  // namespace kaon::gpu::vendor
