/* SPDX-License-Identifier: Apache-2.0 */
/* For test programs, behind check.h: buffers in the memory of a device, which no processor may touch. They are filled
   and looked at by messages of a rank to itself. */
#ifndef KAON_TESTS_DEVICE_BUFFERS_H
#define KAON_TESTS_DEVICE_BUFFERS_H
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { kCopyTag = 9999 };

static void* allocate_on_device(size_t bytes) {
  MPI_Info info;
  void* memory = NULL;
  CHECK(MPI_Info_create(&info) == MPI_SUCCESS);
  CHECK(MPI_Info_set(info, "kaon_memory_kind", "device") == MPI_SUCCESS);
  CHECK(MPI_Alloc_mem((MPI_Aint)bytes, info, &memory) == MPI_SUCCESS);
  CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
  return memory;
}

/* Between memory of any kinds. */
static void copy_bytes(void* to, const void* from, size_t bytes) {
  CHECK(MPI_Sendrecv(from, (int)bytes, MPI_BYTE, 0, kCopyTag, to, (int)bytes, MPI_BYTE, 0, kCopyTag, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE) == MPI_SUCCESS);
}

/* So many bytes on the device, which hold what is given. */
__attribute__((unused)) static void* device_copy_of(const void* from, size_t bytes) {
  void* const memory = allocate_on_device(bytes);
  copy_bytes(memory, from, bytes);
  return memory;
}

/* Whether memory of the device holds what is given. */
__attribute__((unused)) static int device_holds(const void* device, const void* wanted, size_t bytes) {
  void* const here = malloc(bytes + 1);
  copy_bytes(here, device, bytes);
  const int holds = memcmp(here, wanted, bytes) == 0;
  free(here);
  return holds;
}
#endif
