/* SPDX-License-Identifier: Apache-2.0 */
/* Messages out of and into the memory of devices: sizes, modes, mixed pairs, truncation, types, probes, persistent
   requests, packing. Any number of ranks. */
#include "check.h"
#include "device_buffers.h"

static int rank, size, next, last;

static const int sizes[] = {0, 1, 7, 8, 2047, 2049, 16384, 16385, 65536, 1 << 20, 3000001};
enum { kSizes = sizeof sizes / sizeof sizes[0], kLargest = 3000001 };

static unsigned char byte_of(int from, int i, int place) { return (unsigned char)(from * 31 + i * 7 + place * 3); }
static void fill(unsigned char* to, int bytes, int from, int i) {
  for (int place = 0; place < bytes; ++place) to[place] = byte_of(from, i, place);
}

/* Memory of either kind, with what is given. */
static void* memory_of(int on_device, const void* from, size_t bytes) {
  if (on_device) return device_copy_of(from, bytes + 1);
  void* const memory = malloc(bytes + 1);
  memcpy(memory, from, bytes + 1);
  return memory;
}
static void give_back(int on_device, void* memory) {
  if (on_device)
    CHECK(MPI_Free_mem(memory) == MPI_SUCCESS);
  else
    free(memory);
}

/* Around a ring, from and to both kinds, in an order of start and end that depends on the rank and the mode. */
static void ring(int from_device, int to_device, int mode) {
  unsigned char* const wanted = malloc(kLargest + 1);
  unsigned char* const own = malloc(kLargest + 1);
  for (int i = 0; i < kSizes; ++i) {
    const int bytes = sizes[i];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int count = -1;
    fill(own, bytes + 1, rank, i);
    fill(wanted, bytes, last, i);
    wanted[bytes] = 77;
    void* const out = memory_of(from_device, own, (size_t)bytes);
    memset(own, 77, (size_t)bytes + 1);
    void* const in = memory_of(to_device, own, (size_t)bytes);
    const int receives_first = (rank + i) % 2 == 0;
    for (int step = 0; step < 2; ++step) {
      if ((step == 0) == receives_first)
        CHECK(MPI_Irecv(in, bytes, MPI_BYTE, last, i, MPI_COMM_WORLD, &requests[0]) == MPI_SUCCESS);
      else if (mode == 0)
        CHECK(MPI_Isend(out, bytes, MPI_BYTE, next, i, MPI_COMM_WORLD, &requests[1]) == MPI_SUCCESS);
      else if (mode == 1)
        CHECK(MPI_Issend(out, bytes, MPI_BYTE, next, i, MPI_COMM_WORLD, &requests[1]) == MPI_SUCCESS);
      else
        CHECK(MPI_Ibsend(out, bytes, MPI_BYTE, next, i, MPI_COMM_WORLD, &requests[1]) == MPI_SUCCESS);
    }
    CHECK(MPI_Waitall(2, requests, statuses) == MPI_SUCCESS);
    CHECK(MPI_Get_count(&statuses[0], MPI_BYTE, &count) == MPI_SUCCESS && count == bytes);
    CHECK(statuses[0].MPI_SOURCE == last && statuses[0].MPI_TAG == i);
    CHECK(device_holds(in, wanted, (size_t)bytes + 1));
    give_back(from_device, out);
    give_back(to_device, in);
  }
  free(wanted);
  free(own);
}

/* Blocking calls, parts of a buffer, and the same memory for both directions. */
static void blocking(void) {
  enum { kCount = 10000, kOffset = 13 };
  int* const here = malloc(kCount * sizeof(int));
  for (int i = 0; i < kCount; ++i) here[i] = rank * kCount + i;
  int* const device = device_copy_of(here, kCount * sizeof(int));
  MPI_Status status;
  CHECK(MPI_Sendrecv(device + kOffset, 100, MPI_INT, next, 1, device + 5000, 2000, MPI_INT, last, 1, MPI_COMM_WORLD,
                     &status) == MPI_SUCCESS);
  for (int i = 0; i < 100; ++i) here[5000 + i] = last * kCount + kOffset + i;
  CHECK(device_holds(device, here, kCount * sizeof(int)));
  CHECK(MPI_Sendrecv_replace(device, 3000, MPI_INT, next, 2, last, 2, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
  for (int i = 0; i < 3000; ++i) here[i] = last * kCount + i;
  CHECK(device_holds(device, here, kCount * sizeof(int)));
  MPI_Request request;
  CHECK(MPI_Isendrecv_replace(device, 3000, MPI_INT, last, 2, next, 2, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
  CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  for (int i = 0; i < 3000; ++i) here[i] = rank * kCount + i;
  CHECK(device_holds(device, here, kCount * sizeof(int)));
  CHECK(MPI_Free_mem(device) == MPI_SUCCESS);
  free(here);
}

/* A longer message than there is room for. */
static void truncation(int from_device, int to_device) {
  enum { kLong = 40000 };
  int* const zeros = calloc(kLong, sizeof(int));
  void* const out = memory_of(from_device, zeros, kLong * sizeof(int) - 1);
  const int before[4] = {-1, -1, -1, -1}, after[4] = {0, 0, -1, -1};
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) == MPI_SUCCESS);
  for (int count = 4; count <= kLong; count *= 100) {
    MPI_Request request;
    MPI_Status status;
    int class = 0;
    void* const in = memory_of(to_device, before, sizeof before - 1);
    CHECK(MPI_Isend(out, count, MPI_INT, next, 5, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
    const int error = MPI_Recv(in, 2, MPI_INT, last, 5, MPI_COMM_WORLD, &status);
    CHECK(MPI_Error_class(error, &class) == MPI_SUCCESS && class == MPI_ERR_TRUNCATE);
    CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(device_holds(in, after, sizeof after));
    give_back(to_device, in);
  }
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL) == MPI_SUCCESS);
  give_back(from_device, out);
  free(zeros);
}

/* Elements of one type into elements of another, against the same between buffers of the host. */
static void one_pair_of_types(MPI_Datatype out_type, int out_count, MPI_Datatype in_type, int in_count, int kinds) {
  enum { kBytes = 40000 };
  unsigned char* const own = malloc(kBytes + 1);
  unsigned char* const wanted = malloc(kBytes + 1);
  fill(own, kBytes + 1, rank, 5);
  memset(wanted, 0xee, kBytes + 1);
  void* const in = memory_of(kinds & 1, wanted, kBytes);
  void* const out = memory_of(kinds & 2, own, kBytes);
  CHECK(MPI_Sendrecv(own, out_count, out_type, next, 1, wanted, in_count, in_type, last, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(MPI_Sendrecv(out, out_count, out_type, next, 2, in, in_count, in_type, last, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(device_holds(in, wanted, kBytes));
  CHECK(device_holds(out, own, kBytes));
  give_back(kinds & 1, in);
  give_back(kinds & 2, out);
  free(own);
  free(wanted);
}

enum { kTypes = 7 };
/* Each has 1,200 ints. */
static MPI_Datatype made_type(int number, int* count) {
  static const int cube[3] = {20, 20, 24}, part[3] = {10, 10, 12}, start[3] = {3, 5, 7};
  int lengths[3] = {100, 50, 150}, places[3] = {400, 10, 1000};
  MPI_Aint bytes[2] = {4000, 0};
  MPI_Datatype type, inner, kinds[2] = {MPI_INT, MPI_BYTE};
  *count = 1;
  switch (number) {
    case 0:
      *count = 1200;
      MPI_Type_dup(MPI_INT, &type);
      break;
    case 1:
      MPI_Type_vector(400, 3, 7, MPI_INT, &type);
      break;
    case 2: /* columns */
      MPI_Type_create_hvector(100, 1, 48, MPI_INT, &inner);
      MPI_Type_create_resized(inner, 0, 4, &type);
      MPI_Type_free(&inner);
      *count = 12;
      break;
    case 3:
      MPI_Type_create_subarray(3, cube, part, start, MPI_ORDER_C, MPI_INT, &type);
      break;
    case 4:
      MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
      *count = 4;
      break;
    case 5:
      lengths[0] = 300;
      lengths[1] = 3600;
      MPI_Type_create_struct(2, lengths, bytes, kinds, &type);
      break;
    default: /* runs of odd lengths at odd places */
      MPI_Type_create_hvector(480, 10, 13, MPI_BYTE, &type);
      break;
  }
  CHECK(MPI_Type_commit(&type) == MPI_SUCCESS);
  return type;
}

static void types(void) {
  for (int in = 0; in < kTypes; ++in)
    for (int step = 0; step < 3; ++step) {
      const int out = (in + step) % kTypes;
      int out_count, in_count;
      MPI_Datatype out_type = made_type(out, &out_count), in_type = made_type(in, &in_count);
      one_pair_of_types(out_type, out_count, in_type, in_count, 1 + (out + in) % 3);
      one_pair_of_types(out_type, out_count, in_type, in_count, 3);
      MPI_Type_free(&out_type);
      MPI_Type_free(&in_type);
    }
}

/* A short message into the first part of a type with gaps. */
static void part_of_a_type(void) {
  int count;
  MPI_Datatype type = made_type(1, &count);
  int values[10], wanted[40], before[40];
  for (int i = 0; i < 10; ++i) values[i] = last * 100 + i;
  for (int i = 0; i < 40; ++i) wanted[i] = before[i] = -1;
  for (int i = 0; i < 10; ++i) wanted[i / 3 * 7 + i % 3] = values[i];
  for (int i = 0; i < 10; ++i) values[i] = rank * 100 + i;
  int* const out = device_copy_of(values, sizeof values);
  int* const in = allocate_on_device(400 * 7 * sizeof(int));
  copy_bytes(in, before, sizeof before);
  CHECK(MPI_Sendrecv(out, 10, MPI_INT, next, 1, in, 1, type, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == 0);
  CHECK(device_holds(in, wanted, sizeof wanted));
  MPI_Type_free(&type);
  MPI_Free_mem(in);
  MPI_Free_mem(out);
}

static void probes(void) {
  int values[500], wanted[500];
  for (int i = 0; i < 500; ++i) values[i] = rank + i, wanted[i] = last + i;
  int* const out = device_copy_of(values, sizeof values);
  int* const in = allocate_on_device(sizeof values);
  MPI_Request request;
  MPI_Status status;
  MPI_Message message;
  int count;
  CHECK(MPI_Isend(out, 500, MPI_INT, next, 6, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
  CHECK(MPI_Probe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
  CHECK(MPI_Get_count(&status, MPI_INT, &count) == MPI_SUCCESS && count == 500);
  CHECK(MPI_Mprobe(last, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status) == MPI_SUCCESS);
  CHECK(MPI_Mrecv(in, 500, MPI_INT, &message, &status) == MPI_SUCCESS);
  CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  CHECK(device_holds(in, wanted, sizeof wanted));
  MPI_Free_mem(in);
  MPI_Free_mem(out);
}

static void persistent(void) {
  int values[3000], wanted[3000];
  int* const out = allocate_on_device(sizeof values);
  int* const in = allocate_on_device(sizeof values);
  MPI_Request requests[2];
  CHECK(MPI_Send_init(out, 3000, MPI_INT, next, 7, MPI_COMM_WORLD, &requests[0]) == MPI_SUCCESS);
  CHECK(MPI_Recv_init(in, 3000, MPI_INT, last, 7, MPI_COMM_WORLD, &requests[1]) == MPI_SUCCESS);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 3000; ++i) values[i] = rank + i * round, wanted[i] = last + i * round;
    copy_bytes(out, values, sizeof values);
    CHECK(MPI_Startall(2, requests) == MPI_SUCCESS);
    CHECK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    CHECK(device_holds(in, wanted, sizeof wanted));
  }
  CHECK(MPI_Request_free(&requests[0]) == MPI_SUCCESS && MPI_Request_free(&requests[1]) == MPI_SUCCESS);
  MPI_Free_mem(in);
  MPI_Free_mem(out);
}

/* The packed bytes are those of the same elements on the host, whichever of the buffers is on the device. */
static void packing(void) {
  enum { kBytes = 40000, kPacked = 4900 };
  unsigned char* const own = malloc(kBytes);
  unsigned char packed[kPacked], external[kPacked];
  fill(own, kBytes, rank, 3);
  unsigned char* const device = device_copy_of(own, kBytes);
  unsigned char* const device_packed = allocate_on_device(kPacked);
  for (int number = 0; number < kTypes; ++number) {
    int count, position = 0, at;
    MPI_Aint external_position = 0, external_at = 0;
    MPI_Datatype type = made_type(number, &count);
    CHECK(MPI_Pack(own, count, type, packed, kPacked, &position, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(position == 4800);
    CHECK(MPI_Pack(device, count, type, device_packed, kPacked, (at = 0, &at), MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(at == position && device_holds(device_packed, packed, 4800));
    CHECK(MPI_Pack(own, count, type, device_packed, kPacked, (at = 100, &at), MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(at == 4900 && device_holds(device_packed + 100, packed, 4800));
    CHECK(MPI_Unpack(device_packed, kPacked, (at = 100, &at), device, count, type, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(device_holds(device, own, kBytes));
    CHECK(MPI_Pack_external("external32", own, count, type, external, kPacked, &external_position) == MPI_SUCCESS);
    CHECK(MPI_Pack_external("external32", device, count, type, device_packed, kPacked, &external_at) == MPI_SUCCESS);
    CHECK(external_at == external_position && device_holds(device_packed, external, (size_t)external_at));
    external_at = 0;
    CHECK(MPI_Unpack_external("external32", device_packed, kPacked, &external_at, device, count, type) == 0);
    CHECK(external_at == external_position && device_holds(device, own, kBytes));
    MPI_Type_free(&type);
  }
  MPI_Free_mem(device);
  MPI_Free_mem(device_packed);
  free(own);
}

static void memory_kinds(void) {
  MPI_Info info;
  char value[64];
  int length = sizeof value, is_there = 0;
  CHECK(MPI_Comm_get_info(MPI_COMM_WORLD, &info) == MPI_SUCCESS);
  CHECK(MPI_Info_get_string(info, "mpi_memory_alloc_kinds", &length, value, &is_there) == MPI_SUCCESS);
  CHECK(is_there && strstr(value, "system,mpi") == value);
  CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
}

/* Memory that was freed and allocated again, in other pieces. */
static void memory_comes_and_goes(void) {
  for (int round = 0; round < 20; ++round) {
    const int bytes = 1000 * (1 + (round * 7) % 20);
    unsigned char* const own = malloc((size_t)bytes);
    unsigned char* const wanted = malloc((size_t)bytes);
    fill(own, bytes, rank, round);
    fill(wanted, bytes, last, round);
    void* const out = device_copy_of(own, (size_t)bytes);
    void* const in = allocate_on_device((size_t)bytes);
    CHECK(MPI_Sendrecv(out, bytes, MPI_BYTE, next, 8, in, bytes, MPI_BYTE, last, 8, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE) == MPI_SUCCESS);
    CHECK(device_holds(in, wanted, (size_t)bytes));
    MPI_Free_mem(in);
    MPI_Free_mem(out);
    free(own);
    free(wanted);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  rank = rank_of_world();
  size = size_of_world();
  next = (rank + 1) % size;
  last = (rank + size - 1) % size;
  CHECK(MPI_Buffer_attach(malloc(kLargest + 1000), kLargest + 1000) == MPI_SUCCESS);
  for (int kinds = 1; kinds < 4; ++kinds) ring(kinds & 1, kinds >> 1, 0);
  for (int mode = 1; mode < 3; ++mode) ring(1, 1, mode);
  blocking();
  for (int kinds = 1; kinds < 4; ++kinds) truncation(kinds & 1, kinds >> 1);
  types();
  part_of_a_type();
  probes();
  persistent();
  packing();
  memory_kinds();
  memory_comes_and_goes();
  void* buffer;
  int bytes;
  CHECK(MPI_Buffer_detach(&buffer, &bytes) == MPI_SUCCESS && bytes == kLargest + 1000);
  free(buffer);
  MPI_Finalize();
  if (rank == 0) printf("all is well\n");
  return 0;
}
