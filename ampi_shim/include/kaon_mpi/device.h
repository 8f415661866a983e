/* SPDX-License-Identifier: Apache-2.0 */
/* For sources of kernels (CUDA, HIP) and of functions that the emulation runs in their place: partitions of messages
   that kernels make ready, and see arrive. See KAON_Prequest_create there. */
#ifndef KAON_MPI_DEVICE_H
#define KAON_MPI_DEVICE_H

#include <mpi.h>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define KAON_ON_DEVICE static __host__ __device__ inline
#else
#define KAON_ON_DEVICE static inline
#endif

/* Release: all that the calling thread has written before, or has seen written, is sent with the partition. */
KAON_ON_DEVICE void KAON_Device_store(uint32_t* word, uint32_t value) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  __threadfence_system();
  *(volatile uint32_t*)word = value;
#else
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
#endif
}

/* Acquire: what was received with the partition is seen behind it. */
KAON_ON_DEVICE uint32_t KAON_Device_load(const uint32_t* word) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  const uint32_t value = *(const volatile uint32_t*)word;
  __threadfence_system();
  return value;
#else
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
#endif
}

/* Makes a partition of a started partitioned send ready, as MPI_Pready does on the host. One thread calls it, when all
   threads that write the partition have done so (behind a barrier of the block, for one). The rank's PE sends it in one
   of its next turns. A number that is no partition ends the run. */
KAON_ON_DEVICE void KAON_Device_pready(KAON_Prequest prequest, int partition) {
  const uint32_t round = KAON_Device_load(prequest.words + prequest.partitions);
  const int is_known = partition >= 0 && partition < prequest.partitions;
  KAON_Device_store(prequest.words + (is_known ? partition : prequest.partitions + 1), is_known ? round : 1);
}

/* Tells whether a partition of a started partitioned receive has arrived, as MPI_Parrived does on the host. A kernel
   that waits in a loop keeps its multiprocessor; the PE goes on. */
KAON_ON_DEVICE int KAON_Device_parrived(KAON_Prequest prequest, int partition) {
  const int is_known = partition >= 0 && partition < prequest.partitions;
  if (!is_known) {
    KAON_Device_store(prequest.words + prequest.partitions + 1, 1);
    return 0;
  }
  return KAON_Device_load(prequest.words + partition) == KAON_Device_load(prequest.words + prequest.partitions);
}

#endif
