/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmarks of MPI with memory of devices share: that memory, of CUDA or of the emulation, and lines of
   results. */
#ifndef KAON_BENCH_GPU_MPI_DEVICE_BENCH_H
#define KAON_BENCH_GPU_MPI_DEVICE_BENCH_H
#include <cuda_runtime.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

extern const char kProgram[];
static int rank, size, is_emulated;

static void fail(const char* what, const char* why) {
  fprintf(stderr, "%s: rank %d: %s: %s\n", kProgram, rank, what, why);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void check_cuda(cudaError_t status, const char* what) {
  if (status != cudaSuccess) fail(what, cudaGetErrorString(status));
}

static void* allocate_emulated(size_t bytes) {
  MPI_Info info;
  void* memory = NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "kaon_memory_kind", "device");
  MPI_Alloc_mem((MPI_Aint)bytes, info, &memory);
  MPI_Info_free(&info);
  return memory;
}

/* Memory of the device or, for pairs of both kinds, of the host. */
static char* allocate(int on_device, size_t bytes) {
  void* memory = NULL;
  if (on_device && is_emulated)
    memory = allocate_emulated(bytes);
  else if (on_device)
    check_cuda(cudaMalloc(&memory, bytes), "cudaMalloc");
  else
    memory = calloc(1, bytes);
  if (memory == NULL) fail("allocate", "no memory is left");
  return memory;
}
static void give_back(int on_device, char* memory) {
  if (on_device && is_emulated)
    MPI_Free_mem(memory);
  else if (on_device)
    check_cuda(cudaFree(memory), "cudaFree");
  else
    free(memory);
}

/* Between memory of any kinds; waits until it is there. */
static void copy_bytes(void* to, const void* from, size_t bytes, const char* what) {
  if (is_emulated) {
    MPI_Sendrecv(from, (int)bytes, MPI_BYTE, 0, 9, to, (int)bytes, MPI_BYTE, 0, 9, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return;
  }
  check_cuda(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), what);
  check_cuda(cudaDeviceSynchronize(), what);
}

static void print(const char* what, size_t bytes, double value, const char* unit) {
  if (rank != 0) return;
  printf("{\"case\": \"%s\", \"bytes\": %zu, \"value\": %.6g, \"unit\": \"%s\"}\n", what, bytes, value, unit);
  fflush(stdout);
}

static int compare(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}
/* Sorts them. */
static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

/* A size that the command line names. */
static size_t size_of_argument(const char* text) {
  char* end;
  const unsigned long long bytes = strtoull(text, &end, 10);
  if (*end != '\0' || bytes == 0 || bytes > (1u << 30)) fail(text, "is no part and no size");
  return (size_t)bytes;
}
#endif
