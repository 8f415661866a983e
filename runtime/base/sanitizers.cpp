// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/base/sanitizers.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): functions of the sanitizers' libraries; null
// where these are not
extern "C" {
[[gnu::weak]] void __asan_init();
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* memory, std::size_t bytes);
[[gnu::weak]] void __tsan_init();
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace kaon::runtime {
namespace {

// Asked of this source, as all of the library is compiled alike.
#if defined(__SANITIZE_THREAD__)
constexpr bool kSanitizesThreads = true;
#elif defined(__has_feature)
constexpr bool kSanitizesThreads = __has_feature(thread_sanitizer);
#else
constexpr bool kSanitizesThreads = false;
#endif

}  // namespace

bool has_address_sanitizer() noexcept { return &__asan_init != nullptr; }

void forget_marks(const void* memory, std::size_t bytes) noexcept {
  if (has_address_sanitizer()) __asan_unpoison_memory_region(memory, bytes);
}

std::string warning_of_sanitizers() {
  if (kSanitizesThreads || &__tsan_init == nullptr) return {};
  return "this program was built with -fsanitize=thread and Kaon was not: what PEs hand to each other is reported as "
         "data "
         "races, falsely. Build it on a Kaon of './dev install --sanitize thread PREFIX'";
}

}  // namespace kaon::runtime
