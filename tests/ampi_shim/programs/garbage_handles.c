/* SPDX-License-Identifier: Apache-2.0 */
/* Words that are no handles, in the place of handles of every kind: the error of the kind, and no crash. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"

enum { kPageBytes = 4096, kMostWords = 16 };

static int ignored;
static void* words[kMostWords];
static int count;

static void add(void* word) { words[count++] = word; }

/* Numbers, memory of all kinds, places without memory, and such that look like places with a number in front. */
static void find_garbage(void* on_stack, void* on_heap) {
  char* const nowhere = mmap(NULL, 3 * kPageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(nowhere != MAP_FAILED && munmap(nowhere + kPageBytes, kPageBytes) == 0);
  add((void*)7);
  add((void*)4000);
  add((void*)4096);
  add((void*)0x12340);
  add((void*)0x12345678);
  add((void*)-1);
  add((void*)-16);
  add((void*)(UINTPTR_MAX << 48));
  add((void*)((uintptr_t)1 << 47));
  add((void*)0xccccccccccccccc0);
  add(on_stack);
  add(on_heap);
  add(&count);
  add((void*)&find_garbage);
  add(nowhere);
  add(nowhere + kPageBytes);
}

#define TOLD(error, call)                                                          \
  do {                                                                             \
    const int code = (call);                                                       \
    int class;                                                                     \
    MPI_Error_class(code, &class);                                                 \
    if (class != (error)) fprintf(stderr, "%s with %p: %d\n", #call, word, class); \
    CHECK(class == (error));                                                       \
  } while (0)

static void use_comm(void* word) {
  MPI_Comm comm = word, made;
  TOLD(MPI_ERR_COMM, MPI_Comm_rank(comm, &ignored));
  TOLD(MPI_ERR_COMM, MPI_Send(&ignored, 1, MPI_INT, 0, 0, comm));
  TOLD(MPI_ERR_COMM, MPI_Recv(&ignored, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE));
  TOLD(MPI_ERR_COMM, MPI_Barrier(comm));
  TOLD(MPI_ERR_COMM, MPI_Comm_dup(comm, &made));
  TOLD(MPI_ERR_COMM, MPI_Comm_compare(comm, MPI_COMM_WORLD, &ignored));
  TOLD(MPI_ERR_COMM, MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  TOLD(MPI_ERR_COMM, MPI_Comm_free(&comm));
}

static void use_type(void* word) {
  MPI_Datatype type = word, made;
  TOLD(MPI_ERR_TYPE, MPI_Type_size(type, &ignored));
  TOLD(MPI_ERR_TYPE, MPI_Send(&ignored, 1, type, 0, 0, MPI_COMM_WORLD));
  TOLD(MPI_ERR_TYPE, MPI_Bcast(&ignored, 1, type, 0, MPI_COMM_SELF));
  TOLD(MPI_ERR_TYPE, MPI_Type_contiguous(2, type, &made));
  TOLD(MPI_ERR_TYPE, MPI_Type_commit(&type));
  TOLD(MPI_ERR_TYPE, MPI_Type_free(&type));
}

static void use_op(void* word) {
  MPI_Op op = word;
  int values[2] = {1, 2};
  TOLD(MPI_ERR_OP, MPI_Op_commutative(op, &ignored));
  TOLD(MPI_ERR_OP, MPI_Reduce_local(&values[0], &values[1], 1, MPI_INT, op));
  TOLD(MPI_ERR_OP, MPI_Allreduce(&values[0], &values[1], 1, MPI_INT, op, MPI_COMM_SELF));
  TOLD(MPI_ERR_OP, MPI_Op_free(&op));
}

static void use_group(void* word) {
  MPI_Group group = word, made;
  TOLD(MPI_ERR_GROUP, MPI_Group_size(group, &ignored));
  TOLD(MPI_ERR_GROUP, MPI_Group_incl(group, 0, NULL, &made));
  TOLD(MPI_ERR_GROUP, MPI_Group_union(MPI_GROUP_EMPTY, group, &made));
  TOLD(MPI_ERR_GROUP, MPI_Group_free(&group));
}

static void use_rare(void* word) {
  MPI_Info info = word;
  MPI_Errhandler handler = word;
  MPI_Session session = word;
  TOLD(MPI_ERR_INFO, MPI_Info_set(info, "key", "value"));
  TOLD(MPI_ERR_INFO, MPI_Info_free(&info));
  TOLD(MPI_ERR_ERRHANDLER, MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
  TOLD(MPI_ERR_ERRHANDLER, MPI_Errhandler_free(&handler));
  TOLD(MPI_ERR_SESSION, MPI_Session_get_num_psets(session, MPI_INFO_NULL, &ignored));
  TOLD(MPI_ERR_SESSION, MPI_Session_finalize(&session));
}

static void use_win(void* word) {
  MPI_Win win = word;
  MPI_Group group;
  TOLD(MPI_ERR_WIN, MPI_Win_fence(0, win));
  TOLD(MPI_ERR_WIN, MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
  TOLD(MPI_ERR_WIN, MPI_Put(&ignored, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
  TOLD(MPI_ERR_WIN, MPI_Win_get_group(win, &group));
  TOLD(MPI_ERR_WIN, MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
  TOLD(MPI_ERR_WIN, MPI_Win_free(&win));
}

static void use_request(void* word) {
  MPI_Request request = word, both[2] = {MPI_REQUEST_NULL, word};
  int flag;
  TOLD(MPI_ERR_REQUEST, MPI_Wait(&request, MPI_STATUS_IGNORE));
  TOLD(MPI_ERR_REQUEST, MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
  TOLD(MPI_ERR_REQUEST, MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
  TOLD(MPI_ERR_REQUEST, MPI_Waitany(2, both, &ignored, MPI_STATUS_IGNORE));
  TOLD(MPI_ERR_REQUEST, MPI_Testany(2, both, &ignored, &flag, MPI_STATUS_IGNORE));
  TOLD(MPI_ERR_REQUEST, MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE));
  TOLD(MPI_ERR_REQUEST, MPI_Start(&request));
  TOLD(MPI_ERR_REQUEST, MPI_Cancel(&request));
  TOLD(MPI_ERR_REQUEST, MPI_Grequest_complete(request));
  TOLD(MPI_ERR_REQUEST, MPI_Request_free(&request));
}

static void use_message(void* word) {
  MPI_Message message = word;
  MPI_Request request;
  TOLD(MPI_ERR_REQUEST, MPI_Mrecv(&ignored, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
  TOLD(MPI_ERR_REQUEST, MPI_Imrecv(&ignored, 1, MPI_INT, &message, &request));
}

int main(int argc, char** argv) {
  char on_stack[64];
  char* const on_heap = calloc(1, 64);
  MPI_Init(&argc, &argv);
  memset(on_stack, 0x5a, sizeof on_stack);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  find_garbage(on_stack, on_heap);
  for (int i = 0; i < count; ++i) {
    use_comm(words[i]);
    use_type(words[i]);
    use_op(words[i]);
    use_group(words[i]);
    use_rare(words[i]);
    use_win(words[i]);
    use_request(words[i]);
    use_message(words[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank_of_world() == 0) printf("all is well\n");
  free(on_heap);
  return MPI_Finalize();
}
