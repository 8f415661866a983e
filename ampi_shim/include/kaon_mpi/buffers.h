/* SPDX-License-Identifier: Apache-2.0 */
/* Part of mpi.h, which includes it. Memory of buffered sends, by program, communicator and session. */

int MPI_Buffer_attach(void* buffer, int size);
int MPI_Buffer_attach_c(void* buffer, MPI_Count size);
int MPI_Buffer_detach(void* buffer_addr, int* size);
int MPI_Buffer_detach_c(void* buffer_addr, MPI_Count* size);
int MPI_Buffer_flush(void);
int MPI_Buffer_iflush(MPI_Request* request);
int MPI_Comm_attach_buffer(MPI_Comm comm, void* buffer, int size);
int MPI_Comm_attach_buffer_c(MPI_Comm comm, void* buffer, MPI_Count size);
int MPI_Comm_detach_buffer(MPI_Comm comm, void* buffer_addr, int* size);
int MPI_Comm_detach_buffer_c(MPI_Comm comm, void* buffer_addr, MPI_Count* size);
int MPI_Comm_flush_buffer(MPI_Comm comm);
int MPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request* request);
