// SPDX-License-Identifier: Apache-2.0
// Blocking neighborhood collectives.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

extern "C" {

int MPI_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm) {
  return kaon::ampi::neighbor_allgather({"MPI_Neighbor_allgather", comm}, sendbuf, sendcount, sendtype, recvbuf,
                                        recvcount, recvtype);
}

int MPI_Neighbor_allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                             MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return kaon::ampi::neighbor_allgather({"MPI_Neighbor_allgather_c", comm}, sendbuf, sendcount, sendtype, recvbuf,
                                        recvcount, recvtype);
}

int MPI_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  return kaon::ampi::neighbor_allgatherv({"MPI_Neighbor_allgatherv", comm}, sendbuf, sendcount, sendtype, recvbuf,
                                         recvcounts, displs, recvtype);
}

int MPI_Neighbor_allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                              const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                              MPI_Comm comm) {
  return kaon::ampi::neighbor_allgatherv({"MPI_Neighbor_allgatherv_c", comm}, sendbuf, sendcount, sendtype, recvbuf,
                                         recvcounts, displs, recvtype);
}

int MPI_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype, MPI_Comm comm) {
  return kaon::ampi::neighbor_alltoall({"MPI_Neighbor_alltoall", comm}, sendbuf, sendcount, sendtype, recvbuf,
                                       recvcount, recvtype);
}

int MPI_Neighbor_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                            MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return kaon::ampi::neighbor_alltoall({"MPI_Neighbor_alltoall_c", comm}, sendbuf, sendcount, sendtype, recvbuf,
                                       recvcount, recvtype);
}

int MPI_Neighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                           void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                           MPI_Comm comm) {
  return kaon::ampi::neighbor_alltoallv({"MPI_Neighbor_alltoallv", comm}, sendbuf, sendcounts, sdispls, sendtype,
                                        recvbuf, recvcounts, rdispls, recvtype);
}

int MPI_Neighbor_alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                             MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                             const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return kaon::ampi::neighbor_alltoallv({"MPI_Neighbor_alltoallv_c", comm}, sendbuf, sendcounts, sdispls, sendtype,
                                        recvbuf, recvcounts, rdispls, recvtype);
}

int MPI_Neighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                           const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                           const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  return kaon::ampi::neighbor_alltoallw({"MPI_Neighbor_alltoallw", comm}, sendbuf, sendcounts, sdispls, sendtypes,
                                        recvbuf, recvcounts, rdispls, recvtypes);
}

int MPI_Neighbor_alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                             const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                             const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  return kaon::ampi::neighbor_alltoallw({"MPI_Neighbor_alltoallw_c", comm}, sendbuf, sendcounts, sdispls, sendtypes,
                                        recvbuf, recvcounts, rdispls, recvtypes);
}

}  // extern "C"
