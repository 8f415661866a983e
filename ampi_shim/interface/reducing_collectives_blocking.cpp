// SPDX-License-Identifier: Apache-2.0
// Blocking reductions and scans.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

extern "C" {

int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return kaon::ampi::allreduce({"MPI_Allreduce", comm}, sendbuf, recvbuf, count, datatype, op);
}

int MPI_Allreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm) {
  return kaon::ampi::allreduce({"MPI_Allreduce_c", comm}, sendbuf, recvbuf, count, datatype, op);
}

int MPI_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return kaon::ampi::exscan({"MPI_Exscan", comm}, sendbuf, recvbuf, count, datatype, op);
}

int MPI_Exscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return kaon::ampi::exscan({"MPI_Exscan_c", comm}, sendbuf, recvbuf, count, datatype, op);
}

int MPI_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
               MPI_Comm comm) {
  return kaon::ampi::reduce({"MPI_Reduce", comm}, sendbuf, recvbuf, count, datatype, op, root);
}

int MPI_Reduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                 MPI_Comm comm) {
  return kaon::ampi::reduce({"MPI_Reduce_c", comm}, sendbuf, recvbuf, count, datatype, op, root);
}

int MPI_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm) {
  return kaon::ampi::reduce_scatter({"MPI_Reduce_scatter", comm}, sendbuf, recvbuf, recvcounts, datatype, op);
}

int MPI_Reduce_scatter_c(const void* sendbuf, void* recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
                         MPI_Op op, MPI_Comm comm) {
  return kaon::ampi::reduce_scatter({"MPI_Reduce_scatter_c", comm}, sendbuf, recvbuf, recvcounts, datatype, op);
}

int MPI_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                             MPI_Comm comm) {
  return kaon::ampi::reduce_scatter_block({"MPI_Reduce_scatter_block", comm}, sendbuf, recvbuf, recvcount, datatype,
                                          op);
}

int MPI_Reduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                               MPI_Op op, MPI_Comm comm) {
  return kaon::ampi::reduce_scatter_block({"MPI_Reduce_scatter_block_c", comm}, sendbuf, recvbuf, recvcount, datatype,
                                          op);
}

int MPI_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return kaon::ampi::scan({"MPI_Scan", comm}, sendbuf, recvbuf, count, datatype, op);
}

int MPI_Scan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return kaon::ampi::scan({"MPI_Scan_c", comm}, sendbuf, recvbuf, count, datatype, op);
}

}  // extern "C"
