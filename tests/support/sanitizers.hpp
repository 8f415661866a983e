// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which sanitizer a test was built with: for what cannot be seen, or takes too long, under it.
namespace kaon::testing {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kHasAddressSanitizer = true;
#elif defined(__has_feature)
inline constexpr bool kHasAddressSanitizer = __has_feature(address_sanitizer);
#else
inline constexpr bool kHasAddressSanitizer = false;
#endif

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kHasThreadSanitizer = true;
#elif defined(__has_feature)
inline constexpr bool kHasThreadSanitizer = __has_feature(thread_sanitizer);
#else
inline constexpr bool kHasThreadSanitizer = false;
#endif

/// While one is alive, what is allocated may be lost: for a leak that is proven to be another library's.
class IgnoreLeaks {
 public:
  IgnoreLeaks();
  ~IgnoreLeaks();
  IgnoreLeaks(const IgnoreLeaks&) = delete;
  IgnoreLeaks& operator=(const IgnoreLeaks&) = delete;
};

}  // namespace kaon::testing
