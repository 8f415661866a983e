/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between kernels of two ranks. Either the host keeps their order (it waits for the stream, then calls
   MPI_Send) or the stream does (MPIX_Send_enqueue, MPIX_Recv_enqueue). Both take turns; one way is half of there and
   back, with a kernel behind each receive and before each send. ampirun -n 2 --processes 2 bench/gpu_mpi_streams
   [emulated] [BYTES...] Each round's bytes are compared at its end. One JSON object a line. */
#include <string.h>
#include <sys/resource.h>

#include "device_bench.h"

enum { kRounds = 7, kTurns = 40, kMostSizes = 16 }; /* turns are enqueued before any of them is waited for */

const char kProgram[] = "gpu_mpi_streams";

static void* native;
static MPIX_Stream stream;
static MPI_Comm comm;

/* Of the emulation, which runs functions in place of kernels. */
struct Set {
  unsigned char* memory;
  int value;
  size_t bytes;
};
static void set_bytes(void* argument) {
  const struct Set* const set = argument;
  memset(set->memory, set->value, set->bytes);
}
static struct Set sets[4 * kTurns];
static int set_count;

static void write_by_kernel(unsigned char* memory, int value, size_t bytes) {
  if (is_emulated) {
    sets[set_count] = (struct Set){memory, value, bytes};
    KAON_Emulated_stream_enqueue(native, set_bytes, &sets[set_count++]);
  } else {
    check_cuda(cudaMemsetAsync(memory, value, bytes, native), "write by a kernel");
  }
}
static void open_stream(void) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "type", is_emulated ? "kaon_emulated_stream" : "cudaStream_t");
  if (is_emulated)
    KAON_Emulated_stream_create(&native);
  else
    check_cuda(cudaStreamCreateWithFlags((cudaStream_t*)&native, cudaStreamNonBlocking), "make a stream");
  MPIX_Info_set_hex(info, "value", &native, sizeof native);
  MPIX_Stream_create(info, &stream);
  MPIX_Stream_comm_create(MPI_COMM_WORLD, stream, &comm);
  MPI_Info_free(&info);
}
static void close_stream(void) {
  MPI_Comm_free(&comm);
  MPIX_Stream_free(&stream);
  if (is_emulated)
    KAON_Emulated_stream_destroy(&native);
  else
    check_cuda(cudaStreamDestroy(native), "destroy a stream");
}

static void send(unsigned char* out, size_t bytes, int by_stream) {
  if (by_stream) {
    MPIX_Send_enqueue(out, (int)bytes, MPI_BYTE, 1 - rank, 1, comm);
    return;
  }
  KAON_Stream_synchronize(stream);
  MPI_Send(out, (int)bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD);
}
static void receive(unsigned char* in, size_t bytes, int by_stream) {
  if (by_stream)
    MPIX_Recv_enqueue(in, (int)bytes, MPI_BYTE, 1 - rank, 1, comm, MPI_STATUS_IGNORE);
  else
    MPI_Recv(in, (int)bytes, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double processor_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

struct Times {
  double wall, processor; /* of one way, in seconds */
};

/* What comes is sent on: behind the last turn, all memory of both has the last value. */
static struct Times converse(unsigned char* out, unsigned char* in, size_t bytes, int by_stream) {
  set_count = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double before = processor_seconds(), start = MPI_Wtime();
  for (int turn = 0; turn < kTurns; ++turn) {
    if (rank == 1) receive(in, bytes, by_stream);
    write_by_kernel(out, turn + 1 + rank, bytes);
    send(out, bytes, by_stream);
    if (rank == 0) receive(in, bytes, by_stream);
  }
  KAON_Stream_synchronize(stream);
  const double ways = 2.0 * kTurns;
  return (struct Times){(MPI_Wtime() - start) / ways, (processor_seconds() - before) / ways};
}

static void expect(const unsigned char* in, size_t bytes) {
  unsigned char* const here = malloc(bytes);
  copy_bytes(here, in, bytes, "read");
  for (size_t i = 0; i < bytes; ++i)
    if (here[i] != (unsigned char)(kTurns + 1 - rank)) fail("a message", "other bytes came than were sent");
  free(here);
}

static void measure(size_t bytes) {
  double wall[2][kRounds], processor[2][kRounds];
  unsigned char* const out = (unsigned char*)allocate(1, bytes);
  unsigned char* const in = (unsigned char*)allocate(1, bytes);
  for (int round = -1; round < kRounds; ++round) /* the first one warms up */
    for (int by_stream = 0; by_stream < 2; ++by_stream) {
      const struct Times times = converse(out, in, bytes, by_stream);
      MPI_Barrier(MPI_COMM_WORLD); /* looking waits for the device, where the other rank may have enqueued work */
      expect(in, bytes);
      if (round >= 0) wall[by_stream][round] = times.wall, processor[by_stream][round] = times.processor;
    }
  print("one way, the host waits and sends", bytes, median(wall[0], kRounds) * 1e6, "us");
  print("one way, the stream sends", bytes, median(wall[1], kRounds) * 1e6, "us");
  print("processor, the host waits and sends", bytes, median(processor[0], kRounds) * 1e6, "us");
  print("processor, the stream sends", bytes, median(processor[1], kRounds) * 1e6, "us");
  give_back(1, (char*)out);
  give_back(1, (char*)in);
}

int main(int argc, char** argv) {
  size_t sizes[kMostSizes] = {8, 64 << 10, 1 << 20};
  int number = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) fail("messages", "they are between two ranks: -n 2");
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "emulated") == 0) {
      is_emulated = 1;
      continue;
    }
    if (number == kMostSizes) fail(argv[i], "is one size too many");
    sizes[number++] = size_of_argument(argv[i]);
  }
  if (number == 0) number = 3;
  open_stream();
  for (int i = 0; i < number; ++i) measure(sizes[i]);
  close_stream();
  MPI_Finalize();
  return 0;
}
