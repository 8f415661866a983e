// SPDX-License-Identifier: Apache-2.0
// Non-blocking neighborhood collectives.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

using kaon::ampi::Form;

extern "C" {

int MPI_Ineighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::neighbor_allgather({"MPI_Ineighbor_allgather", comm, Form::nonblocking, request}, sendbuf,
                                        sendcount, sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Ineighbor_allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                              MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::neighbor_allgather({"MPI_Ineighbor_allgather_c", comm, Form::nonblocking, request}, sendbuf,
                                        sendcount, sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Ineighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                             MPI_Request* request) {
  return kaon::ampi::neighbor_allgatherv({"MPI_Ineighbor_allgatherv", comm, Form::nonblocking, request}, sendbuf,
                                         sendcount, sendtype, recvbuf, recvcounts, displs, recvtype);
}

int MPI_Ineighbor_allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                               const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                               MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::neighbor_allgatherv({"MPI_Ineighbor_allgatherv_c", comm, Form::nonblocking, request}, sendbuf,
                                         sendcount, sendtype, recvbuf, recvcounts, displs, recvtype);
}

int MPI_Ineighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::neighbor_alltoall({"MPI_Ineighbor_alltoall", comm, Form::nonblocking, request}, sendbuf, sendcount,
                                       sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Ineighbor_alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                             MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::neighbor_alltoall({"MPI_Ineighbor_alltoall_c", comm, Form::nonblocking, request}, sendbuf,
                                       sendcount, sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Ineighbor_alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                            void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                            MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::neighbor_alltoallv({"MPI_Ineighbor_alltoallv", comm, Form::nonblocking, request}, sendbuf,
                                        sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

int MPI_Ineighbor_alltoallv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                              MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                              const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::neighbor_alltoallv({"MPI_Ineighbor_alltoallv_c", comm, Form::nonblocking, request}, sendbuf,
                                        sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

int MPI_Ineighbor_alltoallw(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                            MPI_Request* request) {
  return kaon::ampi::neighbor_alltoallw({"MPI_Ineighbor_alltoallw", comm, Form::nonblocking, request}, sendbuf,
                                        sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}

int MPI_Ineighbor_alltoallw_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                              const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                              const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                              MPI_Request* request) {
  return kaon::ampi::neighbor_alltoallw({"MPI_Ineighbor_alltoallw_c", comm, Form::nonblocking, request}, sendbuf,
                                        sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}

}  // extern "C"
