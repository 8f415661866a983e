// SPDX-License-Identifier: Apache-2.0
// Blocking barriers and collectives with a root.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

extern "C" {

int MPI_Barrier(MPI_Comm comm) { return kaon::ampi::barrier({"MPI_Barrier", comm}); }

int MPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return kaon::ampi::bcast({"MPI_Bcast", comm}, buffer, count, datatype, root);
}

int MPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return kaon::ampi::bcast({"MPI_Bcast_c", comm}, buffer, count, datatype, root);
}

int MPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return kaon::ampi::gather({"MPI_Gather", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
}

int MPI_Gather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return kaon::ampi::gather({"MPI_Gather_c", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
}

int MPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return kaon::ampi::gatherv({"MPI_Gatherv", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                             root);
}

int MPI_Gatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                  const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
                  MPI_Comm comm) {
  return kaon::ampi::gatherv({"MPI_Gatherv_c", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                             recvtype, root);
}

int MPI_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return kaon::ampi::scatter({"MPI_Scatter", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
}

int MPI_Scatter_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return kaon::ampi::scatter({"MPI_Scatter_c", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
}

int MPI_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void* recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return kaon::ampi::scatterv({"MPI_Scatterv", comm}, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                              recvtype, root);
}

int MPI_Scatterv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype,
                   void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return kaon::ampi::scatterv({"MPI_Scatterv_c", comm}, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                              recvtype, root);
}

}  // extern "C"
