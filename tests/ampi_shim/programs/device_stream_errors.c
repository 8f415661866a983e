/* SPDX-License-Identifier: Apache-2.0 */
/* What streams may not be used for, each with its error class. Any number of ranks; with the argument "none" in a run
   without devices. */
#include "check.h"
#include "device_buffers.h"
#include "emulated_streams.h"

static int rank, next, last;

static int class_of(int code) {
  int class = -1;
  CHECK(!MPI_Error_class(code, &class));
  return class;
}
#define REFUSED(class, call) CHECK(class_of(call) == (class))

static void infos(void) {
  void* native = &rank;
  MPI_Info info;
  MPIX_Stream stream = MPIX_STREAM_NULL;
  CHECK(!MPI_Info_create(&info));
  REFUSED(MPI_ERR_INFO, MPIX_Info_set_hex(MPI_INFO_NULL, "value", &native, 8));
  REFUSED(MPI_ERR_INFO_KEY, MPIX_Info_set_hex(info, "", &native, 8));
  REFUSED(MPI_ERR_INFO_VALUE, MPIX_Info_set_hex(info, "value", &native, 0));
  REFUSED(MPI_ERR_INFO_VALUE, MPIX_Info_set_hex(info, "value", &native, MPI_MAX_INFO_VAL));
  REFUSED(MPI_ERR_ARG, MPIX_Info_set_hex(info, "value", NULL, 8));
  const unsigned char bytes[] = {0x00, 0x7f, 0xab};
  char text[16];
  int length = sizeof text, is_there;
  CHECK(!MPIX_Info_set_hex(info, "bytes", bytes, 3));
  CHECK(!MPI_Info_get_string(info, "bytes", &length, text, &is_there) && is_there && !strcmp(text, "007fab"));
  CHECK(!MPI_Info_set(info, "type", "cudaStream_t") && !MPIX_Info_set_hex(info, "value", &native, sizeof native));
  REFUSED(MPI_ERR_INFO_VALUE, MPIX_Stream_create(info, &stream));
  CHECK(!MPI_Info_set(info, "type", "kaon_emulated_stream") && !MPI_Info_delete(info, "value"));
  REFUSED(MPI_ERR_INFO_NOKEY, MPIX_Stream_create(info, &stream));
  CHECK(!MPI_Info_set(info, "value", "00zz00zz00zz00zz"));
  REFUSED(MPI_ERR_INFO_VALUE, MPIX_Stream_create(info, &stream));
  CHECK(!MPI_Info_set(info, "value", "00"));
  REFUSED(MPI_ERR_INFO_VALUE, MPIX_Stream_create(info, &stream));
  CHECK(!MPI_Info_set(info, "value", "0000000000000000"));
  REFUSED(MPI_ERR_INFO_VALUE, MPIX_Stream_create(info, &stream));
  REFUSED(MPI_ERR_ARG, MPIX_Stream_create(info, NULL));
  CHECK(stream == MPIX_STREAM_NULL && !MPI_Info_free(&info));
}

static void handles(void) {
  MPIX_Stream stream = MPIX_STREAM_NULL, garbage = (MPIX_Stream)&stream;
  MPI_Comm comm;
  REFUSED(MPI_ERR_ARG, MPIX_Stream_free(&stream));
  REFUSED(MPI_ERR_ARG, MPIX_Stream_free(&garbage));
  REFUSED(MPI_ERR_ARG, KAON_Stream_synchronize(garbage));
  REFUSED(MPI_ERR_ARG, MPIX_Comm_get_stream(MPI_COMM_WORLD, 1, &stream));
  REFUSED(MPI_ERR_ARG, MPIX_Comm_get_stream(MPI_COMM_WORLD, 0, NULL));
  REFUSED(MPI_ERR_UNSUPPORTED_OPERATION, MPIX_Stream_comm_create_multiplex(MPI_COMM_WORLD, 1, &stream, &comm));
  CHECK(comm == MPI_COMM_NULL);
  REFUSED(MPI_ERR_ARG, KAON_Emulated_stream_create(NULL));
  REFUSED(MPI_ERR_ARG, KAON_Emulated_stream_enqueue(NULL, NULL, NULL));
  /* One without a device. */
  CHECK(!MPIX_Stream_create(MPI_INFO_NULL, &stream) && !MPIX_Stream_comm_create(MPI_COMM_WORLD, stream, &comm));
  CHECK(!MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN) && !KAON_Stream_synchronize(stream));
  REFUSED(MPI_ERR_COMM, MPIX_Send_enqueue(&rank, 1, MPI_INT, next, 1, comm));
  CHECK(!MPI_Barrier(comm));
  REFUSED(MPI_ERR_OTHER, MPIX_Stream_free(&stream));
  CHECK(!MPI_Comm_free(&comm) && !MPIX_Stream_free(&stream));
}

static void messages(struct test_stream* s) {
  int value[2] = {1, 2};
  MPI_Request request = MPI_REQUEST_NULL, two[2];
  const MPI_Comm world = MPI_COMM_WORLD;
  REFUSED(MPI_ERR_COMM, MPIX_Send_enqueue(value, 1, MPI_INT, next, 1, world));
  REFUSED(MPI_ERR_COMM, MPIX_Recv_enqueue(value, 1, MPI_INT, last, 1, world, MPI_STATUS_IGNORE));
  REFUSED(MPI_ERR_COMM, MPIX_Isend_enqueue(value, 1, MPI_INT, next, 1, world, &request));
  REFUSED(MPI_ERR_COMM, MPIX_Irecv_enqueue(value, 1, MPI_INT, last, 1, MPI_COMM_NULL, &request));
  REFUSED(MPI_ERR_COUNT, MPIX_Send_enqueue(value, -1, MPI_INT, next, 1, s->comm));
  REFUSED(MPI_ERR_TYPE, MPIX_Send_enqueue(value, 1, MPI_DATATYPE_NULL, next, 1, s->comm));
  REFUSED(MPI_ERR_BUFFER, MPIX_Send_enqueue(NULL, 1, MPI_INT, next, 1, s->comm));
  REFUSED(MPI_ERR_RANK, MPIX_Send_enqueue(value, 1, MPI_INT, 1000, 1, s->comm));
  REFUSED(MPI_ERR_TAG, MPIX_Send_enqueue(value, 1, MPI_INT, next, MPI_ANY_TAG, s->comm));
  REFUSED(MPI_ERR_RANK, MPIX_Recv_enqueue(value, 1, MPI_INT, 1000, 1, s->comm, MPI_STATUS_IGNORE));
  REFUSED(MPI_ERR_ARG, MPIX_Isend_enqueue(value, 1, MPI_INT, next, 1, s->comm, NULL));
  CHECK(!MPI_Irecv(value, 1, MPI_INT, MPI_PROC_NULL, 1, world, &request));
  REFUSED(MPI_ERR_REQUEST, MPIX_Wait_enqueue(&request, MPI_STATUS_IGNORE));
  REFUSED(MPI_ERR_REQUEST, MPIX_Waitall_enqueue(1, &request, MPI_STATUSES_IGNORE));
  REFUSED(MPI_ERR_ARG, MPIX_Wait_enqueue(NULL, MPI_STATUS_IGNORE));
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
  /* Requests of two streams, and one that is named twice; it cannot be cancelled. */
  struct test_stream other = open_stream(MPI_COMM_SELF);
  CHECK(!MPIX_Irecv_enqueue(&value[0], 1, MPI_INT, last, 3, s->comm, &two[0]));
  CHECK(!MPIX_Irecv_enqueue(&value[1], 1, MPI_INT, 0, 3, other.comm, &two[1]));
  REFUSED(MPI_ERR_REQUEST, MPIX_Waitall_enqueue(2, two, MPI_STATUSES_IGNORE));
  MPI_Request twice[2] = {two[0], two[0]};
  REFUSED(MPI_ERR_REQUEST, MPIX_Waitall_enqueue(2, twice, MPI_STATUSES_IGNORE));
  REFUSED(MPI_ERR_REQUEST, MPI_Cancel(&two[0]));
  REFUSED(MPI_ERR_OTHER, MPIX_Stream_free(&other.stream));
  CHECK(!MPI_Send(&rank, 1, MPI_INT, 0, 3, other.comm) && !MPI_Comm_free(&other.comm));
  CHECK(!MPI_Send(&rank, 1, MPI_INT, next, 3, s->comm));
  CHECK(!MPI_Wait(&two[0], MPI_STATUS_IGNORE) && !MPI_Wait(&two[1], MPI_STATUS_IGNORE) && value[1] == rank);
  CHECK(!MPIX_Stream_free(&other.stream) && !KAON_Emulated_stream_destroy(&other.native));
}

/* A stream with work is not freed; the work goes on. */
static void busy(void) {
  struct test_stream s = open_stream(MPI_COMM_SELF);
  int value = -1;
  MPI_Request request;
  CHECK(!MPIX_Recv_enqueue(&value, 1, MPI_INT, 0, 1, s.comm, MPI_STATUS_IGNORE));
  CHECK(!MPI_Send(&rank, 1, MPI_INT, 0, 1, s.comm));
  CHECK(!KAON_Stream_synchronize(s.stream) && value == rank);
  MPI_Request left;
  CHECK(!MPIX_Irecv_enqueue(&value, 1, MPI_INT, 0, 4, s.comm, &left));
  CHECK(!MPI_Send(&rank, 1, MPI_INT, 0, 4, s.comm) && !MPI_Wait(&left, MPI_STATUS_IGNORE));
  CHECK(!MPIX_Recv_enqueue(&value, 1, MPI_INT, 0, 5, s.comm, MPI_STATUS_IGNORE));
  CHECK(!MPI_Isend(&rank, 1, MPI_INT, 0, 5, s.comm, &request) && !MPI_Comm_free(&s.comm));
  const int code = MPIX_Stream_free(&s.stream);
  if (code != MPI_SUCCESS) {
    REFUSED(MPI_ERR_PENDING, code);
    CHECK(!KAON_Stream_synchronize(s.stream) && !MPIX_Stream_free(&s.stream));
  }
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE) && value == rank && !KAON_Emulated_stream_destroy(&s.native));
}

/* What fails after its call is raised by the next one of the stream, and the stream goes on. */
static void failures(struct test_stream* s) {
  int value[2] = {-1, -1};
  const int sent[3] = {7, 8, 9};
  MPI_Status status;
  MPI_Request request;
  CHECK(!MPI_Isend(sent, 3, MPI_INT, next, 9, s->comm, &request));
  CHECK(!MPIX_Recv_enqueue(value, 1, MPI_INT, last, 9, s->comm, &status));
  REFUSED(MPI_ERR_TRUNCATE, KAON_Stream_synchronize(s->stream));
  CHECK(!KAON_Stream_synchronize(s->stream) && class_of(status.MPI_ERROR) == MPI_ERR_TRUNCATE);
  CHECK(value[0] == 7 && value[1] == -1 && !MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK(!MPI_Isend(sent, 3, MPI_INT, next, 9, s->comm, &request));
  int flag;
  status.MPI_ERROR = -1;
  CHECK(!MPIX_Recv_enqueue(value, 2, MPI_INT, last, 9, s->comm, &status));
  while (*(volatile int*)&status.MPI_ERROR == -1)
    CHECK(!MPI_Iprobe(MPI_ANY_SOURCE, 99, s->comm, &flag, MPI_STATUS_IGNORE));
  CHECK(!MPI_Wait(&request, MPI_STATUS_IGNORE));
  REFUSED(MPI_ERR_TRUNCATE, MPIX_Send_enqueue(&rank, 1, MPI_INT, MPI_PROC_NULL, 1, s->comm));
  CHECK(!KAON_Stream_synchronize(s->stream) && value[1] == 8);
}

static void reductions(struct test_stream* s) {
  double host[2] = {1, 2};
  void* const from = allocate_on_device(sizeof host);
  void* const to = allocate_on_device(sizeof host);
  MPI_Datatype pair;
  CHECK(!MPI_Type_contiguous(2, MPI_DOUBLE, &pair) && !MPI_Type_commit(&pair));
  REFUSED(MPI_ERR_COMM, MPIX_Allreduce_enqueue(from, to, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  REFUSED(MPI_ERR_BUFFER, MPIX_Allreduce_enqueue(host, to, 1, MPI_DOUBLE, MPI_SUM, s->comm));
  REFUSED(MPI_ERR_BUFFER, MPIX_Allreduce_enqueue(from, host, 1, MPI_DOUBLE, MPI_SUM, s->comm));
  REFUSED(MPI_ERR_BUFFER, MPIX_Allreduce_enqueue(to, to, 1, MPI_DOUBLE, MPI_SUM, s->comm));
  REFUSED(MPI_ERR_COUNT, MPIX_Allreduce_enqueue(from, to, -1, MPI_DOUBLE, MPI_SUM, s->comm));
  REFUSED(MPI_ERR_OP, MPIX_Allreduce_enqueue(from, to, 1, MPI_DOUBLE, MPI_BAND, s->comm));
  REFUSED(MPI_ERR_OP, MPIX_Allreduce_enqueue(from, to, 1, MPI_DOUBLE, MPI_OP_NULL, s->comm));
  REFUSED(MPI_ERR_OP, MPIX_Allreduce_enqueue(from, to, 1, MPI_2INT, MPI_MINLOC, s->comm));
  REFUSED(MPI_ERR_TYPE, MPIX_Allreduce_enqueue(from, to, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, s->comm));
  CHECK(MPIX_Allreduce_enqueue(from, to, 1, pair, MPI_SUM, s->comm) != MPI_SUCCESS);
  CHECK(!MPI_Type_free(&pair) && !MPI_Free_mem(from) && !MPI_Free_mem(to));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int size = size_of_world();
  rank = rank_of_world();
  next = (rank + 1) % size;
  last = (rank + size - 1) % size;
  CHECK(!MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  CHECK(!MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
  if (argc > 1) {
    void* native;
    MPIX_Stream stream;
    MPI_Info info = info_of_stream("cudaStream_t", &rank);
    REFUSED(MPI_ERR_OTHER, MPIX_Stream_create(info, &stream));
    REFUSED(MPI_ERR_OTHER, KAON_Emulated_stream_create(&native));
    CHECK(!MPI_Info_free(&info));
  } else {
    infos();
    handles();
    busy();
    struct test_stream s = open_stream(MPI_COMM_WORLD);
    CHECK(!MPI_Comm_set_errhandler(s.comm, MPI_ERRORS_RETURN));
    messages(&s);
    failures(&s);
    reductions(&s);
    close_stream(&s);
  }
  if (rank == 0) puts("all is well");
  MPI_Finalize();
  return 0;
}
