// SPDX-License-Identifier: Apache-2.0
// Blocking allgathers and all-to-alls.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

extern "C" {

int MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm) {
  return kaon::ampi::allgather({"MPI_Allgather", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm) {
  return kaon::ampi::allgather({"MPI_Allgather_c", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                   const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  return kaon::ampi::allgatherv({"MPI_Allgatherv", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                recvtype);
}

int MPI_Allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  return kaon::ampi::allgatherv({"MPI_Allgatherv_c", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                recvtype);
}

int MPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, MPI_Comm comm) {
  return kaon::ampi::alltoall({"MPI_Alltoall", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm) {
  return kaon::ampi::alltoall({"MPI_Alltoall_c", comm}, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                  void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return kaon::ampi::alltoallv({"MPI_Alltoallv", comm}, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                               rdispls, recvtype);
}

int MPI_Alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype,
                    void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
                    MPI_Comm comm) {
  return kaon::ampi::alltoallv({"MPI_Alltoallv_c", comm}, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                               rdispls, recvtype);
}

int MPI_Alltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
                  void* recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                  MPI_Comm comm) {
  return kaon::ampi::alltoallw({"MPI_Alltoallw", comm}, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes);
}

int MPI_Alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                    const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                    const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  return kaon::ampi::alltoallw({"MPI_Alltoallw_c", comm}, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                               rdispls, recvtypes);
}

}  // extern "C"
