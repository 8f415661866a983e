// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels of FloorPuts. Every spin ends after 2 s.
#include <cuda_runtime.h>

#include <cstddef>

namespace put_bench {
namespace {

constexpr unsigned kStartsOfALaunch = 100, kMostCopies = 16;
constexpr unsigned long long kPatienceNs = 2'000'000'000;

__device__ unsigned load(const unsigned* word) {
  unsigned value;
  asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
__device__ void store(unsigned* word, unsigned value) {
  asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}
__device__ unsigned long long now() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}
__device__ bool wait(const unsigned* word, unsigned k) {
  const unsigned long long begin = now();
  while (static_cast<int>(load(word) - k) < 0)
    if (now() - begin > kPatienceNs) return false;
  return true;
}

/// In the memory of device 0.
struct Engine {
  cudaGraphExec_t copies[kMostCopies];
  unsigned value[kMostCopies];  // what the copy's words become
  unsigned ended[kMostCopies];  // stored by the copy
  unsigned posted, taken, stop, failed;
};

/// What all kernels are told.
struct Scene {
  Engine* engine;
  unsigned char* source;
  unsigned char* target;
  std::size_t bytes;
  unsigned copies, count;
  unsigned* flags;            // at device 1
  unsigned* answer;           // at device 0
  unsigned* ns;               // pinned
  unsigned* wrong;            // pinned
  unsigned long long* times;  // at device 1
};

__device__ unsigned* first_of(const Scene& scene, unsigned char* memory, unsigned put) {
  return reinterpret_cast<unsigned*>(memory + put * scene.bytes);
}
__device__ unsigned* last_of(const Scene& scene, unsigned char* memory, unsigned put) {
  return reinterpret_cast<unsigned*>(memory + (put + 1) * scene.bytes - 4);
}

__device__ bool launch(Engine& engine, unsigned put, unsigned value) {
  engine.value[put] = value;
  __threadfence_system();
  return cudaGraphLaunch(engine.copies[put], cudaStreamGraphFireAndForget) == cudaSuccess;
}

// The last node of a copy.
__global__ void store_words(Scene scene, unsigned put) {
  __threadfence_system();  // the data before the flag
  store(scene.flags + put, scene.engine->value[put]);
  store(&scene.engine->ended[put], scene.engine->value[put]);
}

__global__ void run_engine(Scene scene) {
  Engine& engine = *scene.engine;
  unsigned taken = engine.taken;
  for (unsigned i = 0; i < kStartsOfALaunch; ++i, ++taken) {
    const unsigned long long begin = now();
    while (load(&engine.posted) == taken) {
      if (load(&engine.stop) != 0) return;
      if (now() - begin > kPatienceNs) {
        engine.failed = 1;
        return;
      }
    }
    const unsigned put = taken % scene.copies;
    const bool is_free = taken < scene.copies || wait(&engine.ended[put], taken + 1 - scene.copies);
    if (!is_free || !launch(engine, put, taken + 1)) {
      engine.failed = 2;
      return;
    }
  }
  engine.taken = taken;
  __threadfence();
  if (cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch) != cudaSuccess) engine.failed = 3;
}

template <bool kIsDirect>
__global__ void post(Scene scene) {
  for (unsigned i = 0; i < scene.count; ++i) {
    const unsigned put = i % scene.copies;
    *first_of(scene, scene.source, put) = *last_of(scene, scene.source, put) = i + 1;
    const unsigned long long begin = now();
    if constexpr (kIsDirect) {
      if (!launch(*scene.engine, put, i + 1)) return;
    } else {
      store(&scene.engine->posted, i + 1);
    }
    if (!wait(scene.answer, i + 1)) return;
    scene.ns[i] = static_cast<unsigned>(now() - begin);
  }
}
__global__ void post_all(Scene scene) { store(&scene.engine->posted, scene.count); }

__global__ void answer(Scene scene) {
  for (unsigned i = 0; i < scene.count; ++i) {
    const unsigned put = i % scene.copies;
    if (!wait(&scene.flags[put], i + 1)) {
      *scene.wrong += scene.count - i;
      return;
    }
    if (*first_of(scene, scene.target, put) != i + 1 || *last_of(scene, scene.target, put) != i + 1) ++*scene.wrong;
    store(scene.answer, i + 1);
  }
}
__global__ void note_times(Scene scene) {
  for (unsigned i = 0; i < scene.count; ++i) {
    if (!wait(&scene.flags[i % scene.copies], i + 1)) return;
    scene.times[i] = now();
  }
}

// Stores alone, there and back.
__global__ void ping(Scene scene) {
  for (unsigned i = 0; i < scene.count; ++i) {
    const unsigned long long begin = now();
    store(scene.flags, i + 1);
    if (!wait(scene.answer, i + 1)) return;
    scene.ns[i] = static_cast<unsigned>(now() - begin);
  }
}
__global__ void pong(Scene scene) {
  for (unsigned i = 0; i < scene.count && wait(scene.flags, i + 1); ++i) store(scene.answer, i + 1);
}

}  // namespace
}  // namespace put_bench
