// SPDX-License-Identifier: Apache-2.0
// Non-blocking allgathers and all-to-alls.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

using kaon::ampi::Form;

extern "C" {

int MPI_Iallgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::allgather({"MPI_Iallgather", comm, Form::nonblocking, request}, sendbuf, sendcount, sendtype,
                               recvbuf, recvcount, recvtype);
}

int MPI_Iallgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::allgather({"MPI_Iallgather_c", comm, Form::nonblocking, request}, sendbuf, sendcount, sendtype,
                               recvbuf, recvcount, recvtype);
}

int MPI_Iallgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                    const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::allgatherv({"MPI_Iallgatherv", comm, Form::nonblocking, request}, sendbuf, sendcount, sendtype,
                                recvbuf, recvcounts, displs, recvtype);
}

int MPI_Iallgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                      const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
                      MPI_Request* request) {
  return kaon::ampi::allgatherv({"MPI_Iallgatherv_c", comm, Form::nonblocking, request}, sendbuf, sendcount, sendtype,
                                recvbuf, recvcounts, displs, recvtype);
}

int MPI_Ialltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::alltoall({"MPI_Ialltoall", comm, Form::nonblocking, request}, sendbuf, sendcount, sendtype,
                              recvbuf, recvcount, recvtype);
}

int MPI_Ialltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::alltoall({"MPI_Ialltoall_c", comm, Form::nonblocking, request}, sendbuf, sendcount, sendtype,
                              recvbuf, recvcount, recvtype);
}

int MPI_Ialltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                   void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                   MPI_Request* request) {
  return kaon::ampi::alltoallv({"MPI_Ialltoallv", comm, Form::nonblocking, request}, sendbuf, sendcounts, sdispls,
                               sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

int MPI_Ialltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype,
                     void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype,
                     MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::alltoallv({"MPI_Ialltoallv_c", comm, Form::nonblocking, request}, sendbuf, sendcounts, sdispls,
                               sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

int MPI_Ialltoallw(const void* sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
                   void* recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                   MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::alltoallw({"MPI_Ialltoallw", comm, Form::nonblocking, request}, sendbuf, sendcounts, sdispls,
                               sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}

int MPI_Ialltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                     const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::alltoallw({"MPI_Ialltoallw_c", comm, Form::nonblocking, request}, sendbuf, sendcounts, sdispls,
                               sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}

}  // extern "C"
