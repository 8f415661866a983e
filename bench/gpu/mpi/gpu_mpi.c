/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and collectives between buffers of cudaMalloc, measured as the common benchmarks of MPI do, after each way
   was seen to bring the right bytes. Plain MPI and the CUDA runtime: any MPI that takes device pointers runs it.
     ampirun -n 2 --processes 2 bench/gpu_mpi [latency] [bandwidth] [vector] [mixed] [collectives] [BYTES...]
   With `emulated`, under ampirun --device host, the buffers are of MPI_Alloc_mem on an emulated device: that shows that
   all of it works, and no figures. One JSON object a line. */
#include <string.h>

#include "device_bench.h"

enum { kMostSizes = 32, kRepetitions = 5, kWindow = 64, kWarmUp = 20 };

const char kProgram[] = "gpu_mpi";

static unsigned char byte_of(size_t place, int seed) { return (unsigned char)(place * 7 + place / 251 + (size_t)seed); }

static void fill(char* memory, size_t bytes, int seed) {
  char* const here = malloc(bytes);
  for (size_t i = 0; i < bytes; ++i) here[i] = (char)byte_of(i, seed);
  copy_bytes(memory, here, bytes, "fill");
  free(here);
}
static void expect(const char* memory, size_t bytes, int seed, const char* what) {
  unsigned char* const here = malloc(bytes);
  copy_bytes(here, memory, bytes, "look");
  for (size_t i = 0; i < bytes; ++i)
    if (here[i] != byte_of(i, seed)) fail(what, "other bytes came than were sent");
  free(here);
}

/* So many that a repetition takes about 50 ms at 20 GB/s and 5 us each. */
static int rounds_for(size_t bytes, int messages) {
  const double seconds = messages * (5e-6 + (double)bytes / 20e9);
  const int rounds = is_emulated ? 1 : (int)(0.05 / seconds);
  return rounds < 4 ? 4 : rounds > 5000 ? 5000 : rounds;
}

/* What two ranks exchange: `count` elements of a type. */
struct Message {
  char *out, *in;
  int count;
  MPI_Datatype type;
  size_t bytes;
};

static double ping_pong(const struct Message* at, int rounds) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < rounds; ++i) {
    if (rank == 0) MPI_Send(at->out, at->count, at->type, 1, 1, MPI_COMM_WORLD);
    MPI_Recv(at->in, at->count, at->type, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(at->out, at->count, at->type, 0, 1, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - start) / (2.0 * rounds);
}

/* Windows of messages one way or both, each answered. */
static double stream(const struct Message* at, int rounds, int both) {
  MPI_Request requests[2 * kWindow];
  char done = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < rounds; ++i) {
    int count = 0;
    for (int k = 0; k < kWindow; ++k)
      if (both || rank == 1) MPI_Irecv(at->in, at->count, at->type, 1 - rank, 2, MPI_COMM_WORLD, &requests[count++]);
    for (int k = 0; k < kWindow; ++k)
      if (both || rank == 0) MPI_Isend(at->out, at->count, at->type, 1 - rank, 2, MPI_COMM_WORLD, &requests[count++]);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    if (rank == 1) MPI_Send(&done, 1, MPI_CHAR, 0, 3, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&done, 1, MPI_CHAR, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return (double)at->bytes * kWindow * (both ? 2 : 1) * rounds / (MPI_Wtime() - start);
}

static void measure_latency(const struct Message* at, const char* what) {
  double seconds[kRepetitions];
  ping_pong(at, kWarmUp);
  for (int i = 0; i < kRepetitions; ++i) seconds[i] = ping_pong(at, rounds_for(at->bytes, 2));
  print(what, at->bytes, median(seconds, kRepetitions) * 1e6, "us");
}
static void measure_bandwidth(const struct Message* at, const char* what, int both) {
  double rates[kRepetitions];
  stream(at, 2, both);
  for (int i = 0; i < kRepetitions; ++i) rates[i] = stream(at, rounds_for(at->bytes, kWindow), both);
  print(what, at->bytes, median(rates, kRepetitions) / 1e9, "GB/s");
}

/* Between memory of the device, or from the host of one rank to the device of the other. */
static void measure_pair(int is_mixed, int latency, int bandwidth, size_t bytes) {
  const int on_device = !is_mixed || rank == 1;
  const char* const kind = is_mixed ? "host-device" : "device-device";
  char what[64];
  struct Message at = {allocate(on_device, bytes), allocate(on_device, bytes), (int)bytes, MPI_BYTE, bytes};
  fill(at.out, bytes, rank);
  fill(at.in, bytes, 9);
  MPI_Sendrecv(at.out, at.count, MPI_BYTE, 1 - rank, 4, at.in, at.count, MPI_BYTE, 1 - rank, 4, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  expect(at.in, bytes, 1 - rank, "a message");
  snprintf(what, sizeof what, "latency, %s", kind);
  if (latency) measure_latency(&at, what);
  for (int both = 0; bandwidth && both < 2; ++both) {
    snprintf(what, sizeof what, "bandwidth%s, %s", both ? " both ways" : "", kind);
    measure_bandwidth(&at, what, both);
  }
  expect(at.in, bytes, 1 - rank, "the last message");
  give_back(on_device, at.out);
  give_back(on_device, at.in);
}

/* Every second run of 8 bytes, as one element. */
static void measure_vector(size_t bytes) {
  if (bytes < 16) return;
  MPI_Datatype type;
  MPI_Type_vector((int)(bytes / 8), 1, 2, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  struct Message at = {allocate(1, 2 * bytes), allocate(1, 2 * bytes), 1, type, bytes / 8 * 8};
  measure_latency(&at, "latency, vector of 8 B");
  give_back(1, at.out);
  give_back(1, at.in);
  MPI_Type_free(&type);
}

static void measure_collectives(size_t bytes) {
  if (bytes < sizeof(float)) return;
  const int count = (int)(bytes / sizeof(float)), rounds = rounds_for(bytes, 4);
  char* const out = allocate(1, bytes * (size_t)size);
  char* const in = allocate(1, bytes * (size_t)size);
  static const char* const names[] = {"allreduce, device", "bcast, device", "alltoall, device"};
  fill(out, bytes * (size_t)size, 0);
  for (int what = 0; what < 3; ++what) {
    double start = 0;
    for (int i = -4; i < rounds; ++i) {
      if (i == 0) MPI_Barrier(MPI_COMM_WORLD), start = MPI_Wtime();
      if (what == 0) MPI_Allreduce(out, in, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      if (what == 1) MPI_Bcast(in, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
      if (what == 2) MPI_Alltoall(out, count, MPI_FLOAT, in, count, MPI_FLOAT, MPI_COMM_WORLD);
    }
    print(names[what], bytes, (MPI_Wtime() - start) / rounds * 1e6, "us");
  }
  give_back(1, out);
  give_back(1, in);
}

static void say_devices(void) {
  char bus[64] = "?", text[128];
  int device = -1;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaDeviceGetPCIBusId(bus, sizeof bus, device), "cudaDeviceGetPCIBusId");
  snprintf(text, sizeof text, "rank %d of %d: device %d at %s", rank, size, device, bus);
  for (int i = 0; i < size; ++i) {
    char theirs[128];
    memcpy(theirs, text, sizeof text);
    MPI_Bcast(theirs, sizeof theirs, MPI_CHAR, i, MPI_COMM_WORLD);
    if (rank == 0) fprintf(stderr, "%s\n", theirs);
  }
}

int main(int argc, char** argv) {
  size_t sizes[kMostSizes] = {1, 8, 1024, 8192, 65536, 1 << 20, 4 << 20, 64 << 20};
  int number = 0, given = 0, wants[5] = {0, 0, 0, 0, 0};
  static const char* const names[] = {"latency", "bandwidth", "vector", "mixed", "collectives"};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 1; i < argc; ++i) {
    int found = strcmp(argv[i], "emulated") == 0;
    if (found) is_emulated = 1;
    for (int k = 0; k < 5; ++k)
      if (strcmp(argv[i], names[k]) == 0) wants[k] = found = given = 1;
    if (found) continue;
    if (number == kMostSizes) fail(argv[i], "is one size too many");
    sizes[number++] = size_of_argument(argv[i]);
  }
  if (number == 0) number = 8;
  if (!given) wants[0] = wants[1] = 1;
  if (!is_emulated) say_devices();
  if (size != 2 && (wants[0] || wants[1] || wants[2] || wants[3])) fail("messages", "they are between two ranks: -n 2");
  for (int i = 0; i < number; ++i) {
    if (wants[0] || wants[1]) measure_pair(0, wants[0], wants[1], sizes[i]);
    if (wants[2]) measure_vector(sizes[i]);
    if (wants[3]) measure_pair(1, 1, 1, sizes[i]);
    if (wants[4]) measure_collectives(sizes[i]);
  }
  MPI_Finalize();
  return 0;
}
