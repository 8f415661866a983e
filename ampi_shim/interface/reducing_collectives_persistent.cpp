// SPDX-License-Identifier: Apache-2.0
// Persistent reductions and scans.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

using kaon::ampi::Form;

extern "C" {

int MPI_Allreduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                       MPI_Info info, MPI_Request* request) {
  return kaon::ampi::allreduce({"MPI_Allreduce_init", comm, Form::persistent, request, info}, sendbuf, recvbuf, count,
                               datatype, op);
}

int MPI_Allreduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                         MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::allreduce({"MPI_Allreduce_init_c", comm, Form::persistent, request, info}, sendbuf, recvbuf, count,
                               datatype, op);
}

int MPI_Exscan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                    MPI_Info info, MPI_Request* request) {
  return kaon::ampi::exscan({"MPI_Exscan_init", comm, Form::persistent, request, info}, sendbuf, recvbuf, count,
                            datatype, op);
}

int MPI_Exscan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                      MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::exscan({"MPI_Exscan_init_c", comm, Form::persistent, request, info}, sendbuf, recvbuf, count,
                            datatype, op);
}

int MPI_Reduce_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                    MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::reduce({"MPI_Reduce_init", comm, Form::persistent, request, info}, sendbuf, recvbuf, count,
                            datatype, op, root);
}

int MPI_Reduce_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                      MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::reduce({"MPI_Reduce_init_c", comm, Form::persistent, request, info}, sendbuf, recvbuf, count,
                            datatype, op, root);
}

int MPI_Reduce_scatter_block_init(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                  MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::reduce_scatter_block({"MPI_Reduce_scatter_block_init", comm, Form::persistent, request, info},
                                          sendbuf, recvbuf, recvcount, datatype, op);
}

int MPI_Reduce_scatter_block_init_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                                    MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::reduce_scatter_block({"MPI_Reduce_scatter_block_init_c", comm, Form::persistent, request, info},
                                          sendbuf, recvbuf, recvcount, datatype, op);
}

int MPI_Reduce_scatter_init(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::reduce_scatter({"MPI_Reduce_scatter_init", comm, Form::persistent, request, info}, sendbuf,
                                    recvbuf, recvcounts, datatype, op);
}

int MPI_Reduce_scatter_init_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::reduce_scatter({"MPI_Reduce_scatter_init_c", comm, Form::persistent, request, info}, sendbuf,
                                    recvbuf, recvcounts, datatype, op);
}

int MPI_Scan_init(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                  MPI_Info info, MPI_Request* request) {
  return kaon::ampi::scan({"MPI_Scan_init", comm, Form::persistent, request, info}, sendbuf, recvbuf, count, datatype,
                          op);
}

int MPI_Scan_init_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::scan({"MPI_Scan_init_c", comm, Form::persistent, request, info}, sendbuf, recvbuf, count, datatype,
                          op);
}

}  // extern "C"
