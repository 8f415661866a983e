// SPDX-License-Identifier: Apache-2.0
// Non-blocking reductions and scans.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

using kaon::ampi::Form;

extern "C" {

int MPI_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  return kaon::ampi::allreduce({"MPI_Iallreduce", comm, Form::nonblocking, request}, sendbuf, recvbuf, count, datatype,
                               op);
}

int MPI_Iallreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                     MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::allreduce({"MPI_Iallreduce_c", comm, Form::nonblocking, request}, sendbuf, recvbuf, count,
                               datatype, op);
}

int MPI_Iexscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  return kaon::ampi::exscan({"MPI_Iexscan", comm, Form::nonblocking, request}, sendbuf, recvbuf, count, datatype, op);
}

int MPI_Iexscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                  MPI_Request* request) {
  return kaon::ampi::exscan({"MPI_Iexscan_c", comm, Form::nonblocking, request}, sendbuf, recvbuf, count, datatype, op);
}

int MPI_Ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::reduce({"MPI_Ireduce", comm, Form::nonblocking, request}, sendbuf, recvbuf, count, datatype, op,
                            root);
}

int MPI_Ireduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                  MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::reduce({"MPI_Ireduce_c", comm, Form::nonblocking, request}, sendbuf, recvbuf, count, datatype, op,
                            root);
}

int MPI_Ireduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::reduce_scatter({"MPI_Ireduce_scatter", comm, Form::nonblocking, request}, sendbuf, recvbuf,
                                    recvcounts, datatype, op);
}

int MPI_Ireduce_scatter_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
                          MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::reduce_scatter({"MPI_Ireduce_scatter_c", comm, Form::nonblocking, request}, sendbuf, recvbuf,
                                    recvcounts, datatype, op);
}

int MPI_Ireduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::reduce_scatter_block({"MPI_Ireduce_scatter_block", comm, Form::nonblocking, request}, sendbuf,
                                          recvbuf, recvcount, datatype, op);
}

int MPI_Ireduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                                MPI_Op op, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::reduce_scatter_block({"MPI_Ireduce_scatter_block_c", comm, Form::nonblocking, request}, sendbuf,
                                          recvbuf, recvcount, datatype, op);
}

int MPI_Iscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
              MPI_Request* request) {
  return kaon::ampi::scan({"MPI_Iscan", comm, Form::nonblocking, request}, sendbuf, recvbuf, count, datatype, op);
}

int MPI_Iscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) {
  return kaon::ampi::scan({"MPI_Iscan_c", comm, Form::nonblocking, request}, sendbuf, recvbuf, count, datatype, op);
}

}  // extern "C"
