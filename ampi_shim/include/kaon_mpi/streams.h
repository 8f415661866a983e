/* SPDX-License-Identifier: Apache-2.0 */
/* Part of mpi.h, which includes it. Streams of devices, as MPICH names them (MPIX_), and what Kaon adds (KAON_). */

int MPIX_Allreduce_enqueue(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                           MPI_Comm comm);
int MPIX_Comm_get_stream(MPI_Comm comm, int idx, MPIX_Stream* stream);
int MPIX_Info_set_hex(MPI_Info info, const char* key, const void* value, int value_size);
int MPIX_Irecv_enqueue(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                       MPI_Request* request);
int MPIX_Isend_enqueue(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                       MPI_Request* request);
int MPIX_Recv_enqueue(void* buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                      MPI_Status* status);
int MPIX_Send_enqueue(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPIX_Stream_comm_create(MPI_Comm comm, MPIX_Stream stream, MPI_Comm* newcomm);
int MPIX_Stream_comm_create_multiplex(MPI_Comm comm, int count, MPIX_Stream array_of_streams[], MPI_Comm* newcomm);
int MPIX_Stream_create(MPI_Info info, MPIX_Stream* stream);
int MPIX_Stream_free(MPIX_Stream* stream);
int MPIX_Wait_enqueue(MPI_Request* request, MPI_Status* status);
int MPIX_Waitall_enqueue(int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[]);

/* Waits until the stream has done what it was given, and lets enqueued work go on meanwhile. cudaStreamSynchronize()
   keeps the thread from that work, and so never returns where the stream waits for it. */
int KAON_Stream_synchronize(MPIX_Stream stream);

/* Lets kernels ready the partitions of a send, or see those of a receive arrive, by the functions of kaon_mpi/device.h.
   The handle is freed before the request, when no kernel uses it. */
int KAON_Prequest_create(MPI_Request request, KAON_Prequest* prequest);
int KAON_Prequest_free(KAON_Prequest* prequest);

/* A stream of the emulation (ampirun --device host), for the info key "value" with the "type" "kaon_emulated_stream".
   What is enqueued are functions, which run on another thread and must not call MPI. */
int KAON_Emulated_stream_create(void** stream);
int KAON_Emulated_stream_destroy(void** stream);
int KAON_Emulated_stream_enqueue(void* stream, void (*function)(void* argument), void* argument);
