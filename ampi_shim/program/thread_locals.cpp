// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/thread_locals.hpp"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include <cstdint>
#include <cstring>

#include "kaon/ampi_shim/program/relocation_types.hpp"

// The window must be the last of this executable's thread-local variables, next to the thread pointer, in whichever
// order objects are linked. mold puts sections of names that it does not know behind .tbss; ld puts common variables at
// its end.
#if defined(KAON_LINKS_WITH_MOLD)
asm(R"(
        .pushsection .tls_window, "awT", @nobits
        .balign 64
        .globl kaon_thread_local_window
        .hidden kaon_thread_local_window
        .type kaon_thread_local_window, @object
        .size kaon_thread_local_window, 65536
kaon_thread_local_window:
        .zero 65536
        .popsection
)");
#else
asm(R"(
        .hidden kaon_thread_local_window
        .type kaon_thread_local_window, @tls_object
        .comm kaon_thread_local_window, 65536, 64
)");
#endif

extern "C" {
extern __attribute__((visibility("hidden"))) __thread std::byte kaon_thread_local_window[65536];
}

namespace kaon::ampi {
namespace {

constexpr std::size_t kAlignment = 64;  // of the window, and so of the thread pointer at least

const ElfW(Phdr) * own_thread_local_header() {
  const auto* headers = reinterpret_cast<const ElfW(Phdr)*>(getauxval(AT_PHDR));
  for (auto count = getauxval(AT_PHNUM); count > 0; --count, ++headers) {
    if (headers->p_type == PT_TLS) return headers;
  }
  return nullptr;
}

}  // namespace

// The window must be the last of our variables: then only padding is between it and the thread pointer.
std::size_t thread_local_capacity() {
#if defined(__x86_64__)
  const auto* own = own_thread_local_header();
  if (own == nullptr) return 0;
  const auto pointer = reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
  const auto start = pointer - round_up(own->p_memsz, own->p_align);
  auto window = reinterpret_cast<std::uintptr_t>(&kaon_thread_local_window);
  asm("" : "+r"(window));  // linkers know no arithmetic with such an address but loading it
  const bool is_last = window + sizeof kaon_thread_local_window == start + own->p_memsz;
  return is_last ? sizeof kaon_thread_local_window : 0;
#else
  return 0;  // would have to be the first: not laid out yet
#endif
}

ThreadLocalFit fit_thread_locals(std::size_t bytes, std::size_t alignment) {
  if (bytes == 0) return {};
  const std::size_t capacity = thread_local_capacity();
  if (capacity == 0) return {{}, "it has thread-local variables, for which this build of ampirun has no room"};
  if (alignment > kAlignment) return {{}, "its thread-local variables need an alignment of more than 64 bytes"};
  const std::size_t whole = round_up(bytes, alignment);
  if (whole > capacity) return {{}, "it has more than 64 KiB of thread-local variables; put large ones in the heap"};
  return {{bytes, thread_offset_of_executable(bytes, alignment)}, nullptr};
}

ThreadLocals::ThreadLocals(ThreadLocalBlock block, std::span<const std::byte> initial)
    : block_(block), kept_(block.bytes == 0 ? nullptr : new std::byte[block.bytes]()) {
  if (!initial.empty()) std::memcpy(kept_.get(), initial.data(), initial.size());
}

void ThreadLocals::copy(std::byte* to, const std::byte* from) const noexcept { std::memcpy(to, from, block_.bytes); }

}  // namespace kaon::ampi
