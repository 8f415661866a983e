/* SPDX-License-Identifier: Apache-2.0 */
/* messages MILLISECONDS: latency, bandwidth and rate of messages between two ranks, so long for each. */
#include <string.h>

#include "measuring.h"

enum { kWindow = 64, kSmall = 64 << 10, kWindowOfLarge = 8, kLargest = 4 << 20 };

typedef struct {
  size_t bytes;
  char *out, *in;
  int window;
} Traffic;

static void ping_pong(int count, void* context) {
  const Traffic* const traffic = context;
  const int bytes = (int)traffic->bytes, is_first = rank_of_world() == 0;
  for (int i = 0; i < count; ++i) {
    if (is_first) MPI_Send(traffic->out, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(traffic->in, bytes, MPI_CHAR, is_first, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!is_first) MPI_Send(traffic->out, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
}

/* Windows of messages one way, each answered by an empty one. */
static void windows(int count, void* context) {
  const Traffic* const traffic = context;
  const int bytes = (int)traffic->bytes;
  MPI_Request requests[kWindow];
  for (int i = 0; i < count; ++i) {
    for (int k = 0; k < traffic->window; ++k) {
      if (rank_of_world() == 0)
        MPI_Isend(traffic->out, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &requests[k]);
      else
        MPI_Irecv(traffic->in + (size_t)k * traffic->bytes, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[k]);
    }
    MPI_Waitall(traffic->window, requests, MPI_STATUSES_IGNORE);
    if (rank_of_world() == 0)
      MPI_Recv(NULL, 0, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Send(NULL, 0, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
  }
}

static double seconds_of_window(Traffic traffic, double milliseconds) {
  traffic.window = traffic.bytes <= kSmall ? kWindow : kWindowOfLarge;
  return seconds_each(milliseconds, windows, &traffic) / traffic.window;
}

int main(int argc, char** argv) {
  static const size_t sizes[] = {8, 512, 4096, 32 << 10, 256 << 10, 1 << 20, 4 << 20};
  enum { kSizes = sizeof sizes / sizeof *sizes, kFirstOfBandwidth = 2 };
  MPI_Init(&argc, &argv);
  const double milliseconds = argc > 1 ? atof(argv[1]) : 60;
  Traffic traffic = {0, malloc(kLargest), malloc((size_t)kWindowOfLarge * kLargest), 0};
  if (size_of_world() != 2 || traffic.in == NULL || traffic.out == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
  memset(traffic.out, 1, kLargest);
  memset(traffic.in, 1, (size_t)kWindowOfLarge * kLargest);
  for (int i = 0; i < kSizes; ++i) {
    traffic.bytes = sizes[i];
    const double seconds = seconds_each(milliseconds, ping_pong, &traffic) / 2;
    if (rank_of_world() == 0) print_of_size("latency", sizes[i], seconds * 1e6, "us");
  }
  for (int i = 0; i < kSizes; ++i) {
    if (i > 0 && i < kFirstOfBandwidth) continue;
    traffic.bytes = sizes[i];
    const double seconds = seconds_of_window(traffic, milliseconds);
    if (rank_of_world() != 0) continue;
    if (i == 0)
      print_of_size("rate", sizes[i], 1e-6 / seconds, "M/s");
    else
      print_of_size("bandwidth", sizes[i], (double)sizes[i] / seconds / 1e9, "GB/s");
  }
  free(traffic.in);
  free(traffic.out);
  MPI_Finalize();
  return 0;
}
