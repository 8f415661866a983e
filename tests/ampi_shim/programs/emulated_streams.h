/* SPDX-License-Identifier: Apache-2.0 */
/* For test programs, behind check.h: streams of the emulation, and communicators that have one. */
#ifndef KAON_TESTS_EMULATED_STREAMS_H
#define KAON_TESTS_EMULATED_STREAMS_H
#include <mpi.h>
#include <stddef.h>

struct test_stream {
  void* native;
  MPIX_Stream stream;
  MPI_Comm comm;
};

__attribute__((unused)) static MPI_Info info_of_stream(const char* type, const void* native) {
  MPI_Info info;
  CHECK(!MPI_Info_create(&info) && !MPI_Info_set(info, "type", type));
  CHECK(!MPIX_Info_set_hex(info, "value", &native, sizeof native));
  return info;
}

__attribute__((unused)) static struct test_stream open_stream(MPI_Comm comm) {
  struct test_stream made;
  CHECK(!KAON_Emulated_stream_create(&made.native));
  MPI_Info info = info_of_stream("kaon_emulated_stream", made.native);
  CHECK(!MPIX_Stream_create(info, &made.stream) && made.stream != MPIX_STREAM_NULL);
  CHECK(!MPI_Info_free(&info));
  CHECK(!MPIX_Stream_comm_create(comm, made.stream, &made.comm));
  return made;
}

__attribute__((unused)) static void close_stream(struct test_stream* made) {
  CHECK(!MPI_Comm_free(&made->comm) && made->comm == MPI_COMM_NULL);
  CHECK(!MPIX_Stream_free(&made->stream) && made->stream == MPIX_STREAM_NULL);
  CHECK(!KAON_Emulated_stream_destroy(&made->native) && made->native == NULL);
}
#endif
